export { diagnose } from './diagnose.ts'
export type {
  Diagnosis,
  DiagnosisCode,
  DiagnosisHeaders,
  DiagnosisInput,
  Finding,
} from './diagnosis.ts'
export { MAX_JSON } from './json-text.ts'
export { MAX_BODY, MAX_MAC_BYTES, MAX_MACS, MAX_MESSAGE } from './search.ts'
