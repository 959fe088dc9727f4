/** What the sender is told: one code for each status, whatever the reason. The message is the code in words. */
export const CODES = {
  400: 'invalid_delivery',
  401: 'not_authenticated',
  405: 'method_not_allowed',
  408: 'body_too_slow',
  413: 'body_too_large',
  415: 'encoding_not_supported',
  422: 'content_not_accepted',
  500: 'receiver_error',
  503: 'receiver_unavailable',
} as const

export type Status = keyof typeof CODES

/** Response headers that a status asks for (RFC 9110, sections 15.5.6, 15.5.9 and 15.6.4). */
export const STATUS_HEADERS: { readonly [status in Status]?: Readonly<Record<string, string>> } = {
  405: { Allow: 'POST' },
  408: { Connection: 'close' },
  503: { 'Retry-After': '10' },
}

/** Every reason for a refusal and the status it is answered with. docs/errors.md has a heading for each. */
export const REASONS = {
  method_not_allowed: 405,
  signature_missing: 401,
  signature_malformed: 401,
  timestamp_missing: 401,
  encoding_not_supported: 415,
  body_too_large: 413,
  secret_unavailable: 503,
  body_already_read: 500,
  body_incomplete: 400,
  body_timeout: 408,
  signature_mismatch: 401,
  timestamp_unreadable: 401,
  timestamp_too_old: 401,
  timestamp_in_future: 401,
  body_not_utf8: 400,
  body_not_json: 400,
  body_too_deep: 400,
  envelope_invalid: 400,
  schema_mismatch: 500,
  schema_refused: 422,
  schema_failed: 500,
  delivery_missing: 500,
  handler_failed: 500,
  delivery_in_progress: 503,
  store_unavailable: 503,
  lease_lost: 503,
  handler_timeout: 503,
} as const

export type Reason = keyof typeof REASONS

/** What was seen, for each reason that a check gives; `explain` makes the sentences of it. */
export interface Grounds {
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
  schema_mismatch: SchemaGrounds
  schema_refused: SchemaGrounds
  /** `seconds`, where the schema has not answered for so long. */
  schema_failed: { readonly event: string; readonly seconds?: number }
}

interface SchemaGrounds {
  readonly event: string
  readonly vendor: string
  readonly issues: readonly { readonly path?: readonly unknown[] | undefined }[]
}

export type Explained = keyof Grounds

/**
 * A refusal on its way from the check that found it to the receiver, which makes a WebhookError of it.
 *
 * Not an error itself: it may hold what was received, and must not leave the receiver.
 */
export class Refusal<Why extends Explained = Explained> {
  declare readonly reason: Why
  declare readonly grounds: Grounds[Why]
  declare readonly cause: unknown

  constructor(reason: Why, ...[grounds, cause]: Arguments<Grounds[Why]>) {
    this.reason = reason
    this.grounds = grounds as Grounds[Why]
    this.cause = cause
  }
}

/** What was thrown, where it is a refusal, or the one that is made of it. It may be a Proxy that throws when it is looked at. */
export function refusalOf(thrown: unknown, otherwise: () => Refusal): Refusal {
  try {
    if (thrown instanceof Refusal) return thrown
  } catch {
    // Then it is none.
  }
  return otherwise()
}

type Arguments<What> = What extends undefined
  ? [grounds?: undefined, cause?: unknown]
  : [grounds: What, cause?: unknown]
