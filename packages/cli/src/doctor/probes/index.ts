export { leftOut, probesFor } from './for-service.ts'
export { PROBES } from './list.ts'
export { PROBE_EVENT } from './valid.ts'
