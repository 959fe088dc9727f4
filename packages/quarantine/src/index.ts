export {
  type Capture,
  type CaptureBody,
  CaptureError,
  captureBody,
  readCapture,
  writeCapture,
} from './capture.ts'
export { type FolderQuarantine, folderQuarantine } from './folder-quarantine.ts'
export type { KeptRequest } from './kept-request.ts'
export type { FolderQuarantineOptions } from './options.ts'
export {
  dropKept,
  listKept,
  openKept,
  type Redriven,
  type RedriveOptions,
  redrive,
} from './redrive.ts'
