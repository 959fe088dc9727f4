import { rejection } from '@webhook-receiver/core/adapter'
import { describeKind } from '@webhook-receiver/core/internal'
import type { TimestampForm } from '../value.ts'
import { readPointer } from './place.ts'

/** How many digits a timestamp has until the year 2286: with a fixed width it is known where it ends. */
export const DIGITS = { s: 10, ms: 13 }

/** Makes the function that reads a timestamp as milliseconds since the epoch; `undefined` for anything but its digits. */
export function clockReader({ unit }: TimestampForm): (text: string) => number | undefined {
  const form = unit === 's' ? /^\d{10}$/ : /^\d{13}$/
  const factor = unit === 's' ? 1000 : 1
  return (text) => (form.test(text) ? Number(text) * factor : undefined)
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
      header: 'pointer' in at ? `${at.pointer} of the body` : 'its header',
      timestamp: text,
      kind: 'pointer' in at ? `${describeKind(found)} (${text.length} characters)` : undefined,
      forms: `a number of ${DIGITS[unit]} digits`,
    })
  }
}
