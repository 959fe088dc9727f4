export { type FolderQuarantine, folderQuarantine } from './folder-quarantine.ts'
export type { KeptRequest } from './kept-request.ts'
export type { FolderQuarantineOptions } from './options.ts'
export { type Redriven, type RedriveOptions, redrive } from './redrive.ts'
