/** What the sender gets: one code for each status, whatever the reason. The message is the code in words. */
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
