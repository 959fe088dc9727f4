export { diagnose } from './diagnose.ts'
export type {
  Diagnosis,
  DiagnosisCode,
  DiagnosisHeaders,
  DiagnosisInput,
  Finding,
} from './diagnosis.ts'
export { MAX_JSON } from './json-forms.ts'
export { MAX_BODY, MAX_MAC_BYTES, MAX_MACS } from './search.ts'
