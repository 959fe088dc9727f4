export type { Diagnosis, Finding } from '@webhook-receiver/core/internal'
export { diagnose } from './diagnose.ts'
export type { DiagnosisInput } from './request/input.ts'
