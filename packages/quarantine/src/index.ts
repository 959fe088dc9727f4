export {
  type Capture,
  type CaptureBody,
  CaptureError,
  captureBody,
  type Header,
  readCapture,
  writeCapture,
} from './capture.ts'
export { type FolderQuarantine, folderQuarantine } from './folder-quarantine.ts'
export type { KeptRequest } from './kept-request.ts'
export { DEFAULTS, type FolderQuarantineOptions } from './options.ts'
export {
  dropKept,
  listKept,
  openKept,
  type Redriven,
  type RedriveOptions,
  redrive,
} from './redrive.ts'
export { RedriveRunningError } from './redrive-lock.ts'
