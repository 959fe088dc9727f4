export type { Diagnosis, Finding } from '@webhook-receiver/core/adapter'
export { diagnose } from './diagnose.ts'
export type { DiagnosisInput } from './input.ts'
