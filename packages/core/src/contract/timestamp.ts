import { rejection } from '../reject/rejection.ts'
import { CONTRACT_HEADERS } from './head.ts'

/**
 * The time of a verified delivery, in milliseconds since the epoch.
 *
 * @throws WebhookError `timestamp_unreadable` (401).
 */
export function readTime(timestamp: string): number {
  const time = readTimestamp(timestamp)
  if (time !== undefined) return time
  throw rejection('timestamp_unreadable', {
    header: CONTRACT_HEADERS.timestamp,
    timestamp,
    forms: '10 or 13 digits, RFC 3339 or an HTTP-date',
  })
}

/**
 * Reads the value of X-Webhook-Timestamp as milliseconds since the epoch, or `undefined`.
 *
 * The contract (section 6) leaves the format open, so the four forms are read that no value can
 * share: 10 digits, 13 digits, RFC 3339 with a zone, and the IMF-fixdate of RFC 9110 section 5.6.7.
 * `Date.parse` and `parseInt` take far more than that, and not alike everywhere, so what is parsed has
 * to come out again as it went in.
 */
export function readTimestamp(value: string): number | undefined {
  if (DIGITS.test(value)) return Number(value) * (value.length === SECONDS_DIGITS ? 1000 : 1)
  return readRfc3339(value.toUpperCase()) ?? readHttpDate(value)
}

const SECONDS_DIGITS = 10
const DIGITS = /^\d{10}(?:\d{3})?$/
const RFC_3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/

function readRfc3339(value: string): number | undefined {
  const match = RFC_3339.exec(value)
  if (!match) return undefined
  const [, day, fraction = 0, sign, hours = 0, minutes = 0] = match
  const time = Date.parse(`${value.slice(0, 19)}Z`)
  // 30 February is an error to some engines and 2 March to others.
  if (new Date(time).getUTCDate() !== Number(day)) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return time + Number(fraction) * 1000 + (sign === '-' ? offset : -offset)
}

function readHttpDate(value: string): number | undefined {
  const time = Date.parse(value)
  // ECMAScript gives toUTCString the very form of IMF-fixdate, which is longer for a year of five digits.
  return value.length === 29 && new Date(time).toUTCString() === value ? time : undefined
}
