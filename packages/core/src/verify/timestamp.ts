import { Refusal } from '../reject/refusal.ts'

/**
 * Refuses an authentic delivery whose timestamp is unreadable, or further than `tolerance` seconds
 * from `now` in either direction. `Infinity` accepts any timestamp, in any form.
 *
 * @throws Refusal `timestamp_unreadable`, `timestamp_too_old` or `timestamp_in_future` (401).
 */
export function checkTimestamp(timestamp: string, now: number, tolerance: number): void {
  if (tolerance === Number.POSITIVE_INFINITY) return
  const found = ageOf(timestamp, now)
  if (found === undefined) throw new Refusal('timestamp_unreadable', { timestamp })
  const { age, skew } = found
  // Written so that a clock that answers NaN refuses.
  if (!(age <= tolerance)) throw new Refusal('timestamp_too_old', { seconds: age, tolerance })
  if (!(skew <= tolerance)) throw new Refusal('timestamp_in_future', { seconds: skew, tolerance })
}

/** How a signed timestamp stands to the receiver's clock, in seconds; at most one of the two is not 0. */
export interface Age {
  /** How long ago the delivery was signed. */
  readonly age: number
  /** How far the sender's clock is ahead. */
  readonly skew: number
}

/** The age of a timestamp at `now` (milliseconds since the epoch), or `undefined` where it has none of the forms. */
export function ageOf(timestamp: string, now: number): Age | undefined {
  const time = readTimestamp(timestamp)
  if (time === undefined) return undefined
  return { age: Math.max(0, now - time) / 1000, skew: Math.max(0, time - now) / 1000 }
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
