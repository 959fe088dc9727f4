/** What was seen, for each reason that a check gives; `explainRefusal` makes the sentences of it. */
export interface RejectionDetails {
  method_not_allowed: { readonly method: string }
  signature_missing: undefined
  signature_malformed: { readonly value: string }
  timestamp_missing: undefined
  encoding_not_supported: { readonly coding: string }
  body_too_large: {
    readonly limit: number
    readonly announced?: string
    readonly received?: number
  }
  /** `seconds`, where the secret function has not answered for so long. */
  secret_unavailable: { readonly seconds: number } | undefined
  body_already_read: { readonly by: string; readonly advice: string }
  body_incomplete: { readonly received?: number }
  body_timeout: { readonly received: number; readonly seconds: number }
  signature_mismatch: {
    readonly length: number
  }
  timestamp_unreadable: { readonly timestamp: string }
  timestamp_too_old: { readonly seconds: number; readonly tolerance: number }
  timestamp_in_future: { readonly seconds: number; readonly tolerance: number }
  body_not_utf8: undefined
  body_not_json: { readonly text: string }
  body_too_deep: { readonly limit: number }
  envelope_invalid: { readonly field: string; readonly wanted: string; readonly value?: unknown }
  schema_mismatch: SchemaDetails
  schema_refused: SchemaDetails
  /** `seconds`, where the schema has not answered for so long. */
  schema_failed: { readonly event: string; readonly seconds?: number }
}

interface SchemaDetails {
  readonly event: string
  readonly vendor: string
  readonly issues: readonly { readonly path?: readonly unknown[] | undefined }[]
}

export type CheckedReason = keyof RejectionDetails

/** A secret in a form that can be shown: its name and the first 8 hexadecimal digits of its SHA-256. */
export interface SecretFingerprint {
  readonly name: string | undefined
  readonly fingerprint: string
}
