/** The forms in which X-Webhook-Timestamp can be sent; the contract does not say which one it is. */
export const TIMESTAMP_FORMS = [
  'unix-seconds',
  'unix-milliseconds',
  'rfc3339',
  'http-date',
] as const

export type TimestampFormat = (typeof TIMESTAMP_FORMS)[number]

/** An instant, in milliseconds since the epoch, in one of the forms. */
export function writeTimestamp(instant: number, form: TimestampFormat): string {
  switch (form) {
    case 'unix-seconds':
      return String(Math.floor(instant / 1000))
    case 'unix-milliseconds':
      return String(Math.floor(instant))
    case 'rfc3339':
      return new Date(instant).toISOString()
    case 'http-date':
      return new Date(instant).toUTCString()
  }
}
