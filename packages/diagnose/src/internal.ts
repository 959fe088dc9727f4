// For our own packages and tools: `./internal`. A change of it is never a breaking change.
export { type Examination, examine } from './diagnose.ts'
export type { SignedRequest } from './investigation.ts'
