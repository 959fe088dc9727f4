/**
 * How the body of a request is read. Adapters pass this on whole: an option of the receiver that concerns the body is one property more,
 * which no adapter can then leave out.
 */
export interface ReadSettings {
  /** The most that is read, in bytes: above it, `body_too_large`. */
  readonly limit: number
  /** How long the whole body may take, in seconds: after it, `body_timeout`. */
  readonly timeout: number
}

/** Settings for what is no delivery, such as a command of a tool: only its size has a bound, in bytes. */
export function upTo(limit: number): ReadSettings {
  return { limit, timeout: Number.POSITIVE_INFINITY }
}
