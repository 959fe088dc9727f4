export { leftOut, probesFor } from './for-service.ts'
export { PROBE_EVENT } from './valid.ts'
