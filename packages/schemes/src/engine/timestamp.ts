import { describeKind, readTimestamp, rejection } from '@webhook-receiver/core/internal'
import type { TimestampForm } from '../value.ts'
import { readPointer } from './place.ts'

/** How a timestamp is written, until the year 2286. Each of these ends where nothing of its form could go on. */
export const WRITTEN = {
  s: '10 digits',
  ms: '13 digits',
  rfc3339: 'like 2026-11-23T07:00:00Z',
  utc: 'like 2026-11-23T07:00:00, in UTC',
  any: 'digits or RFC 3339',
}

const FORMS = {
  s: /^\d{10}$/,
  ms: /^\d{13}$/,
  rfc3339: /^\d{4}-/,
  utc: /^\d{4}-/,
  any: /^/,
}

/** Makes the function that reads a timestamp as milliseconds since the epoch; `undefined` for anything but its form. */
export function clockReader({ unit }: TimestampForm): (text: string) => number | undefined {
  const form = FORMS[unit]
  const read = (text: string) =>
    readTimestamp(text) ?? (unit === 'utc' ? readTimestamp(`${text}Z`) : undefined)
  return (text) => (form.test(text) ? read(text) : undefined)
}

/** A time in milliseconds since the epoch as a signer writes it. */
export function clockOf(time: number, unit: TimestampForm['unit'] = 's'): string | number {
  if (unit === 'rfc3339') return new Date(time).toISOString()
  if (unit === 'utc') return new Date(time).toISOString().slice(0, -1)
  return Math.floor(unit === 'ms' ? time : time / 1000)
}

/** Makes the function that reads the time of a verified request, which throws `timestamp_unreadable` (401). */
export function timeReader(
  timestamp: TimestampForm,
): (sent: string | undefined, data: () => object) => number {
  const { at, unit } = timestamp
  const read = clockReader(timestamp)
  return (sent, data) => {
    const found = 'pointer' in at ? readPointer(at.pointer, data()) : sent
    const text = `${found}`
    const time = read(text)
    if (time !== undefined) return time
    throw rejection('timestamp_unreadable', {
      header: 'pointer' in at ? `The body's ${at.pointer}` : 'Its header',
      timestamp: text,
      kind: 'pointer' in at ? `${describeKind(found)} (${text.length} characters)` : undefined,
      forms: WRITTEN[unit],
    })
  }
}
