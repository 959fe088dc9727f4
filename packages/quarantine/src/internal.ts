// For our own packages and tools: `./internal`. A change of it is never a breaking change.
export {
  type Capture,
  type CaptureBody,
  CaptureError,
  captureBody,
  readCapture,
  writeCapture,
} from './capture.ts'
export { dropKept, listKept, openKept } from './redrive.ts'
