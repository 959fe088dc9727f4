import { readTimestamp } from '@webhook-receiver/core/internal'
import { type Mistake, withSignedTime } from './mistake.ts'

/** The signed time, in another form than that which was sent. */
export const TIME_MISTAKES: readonly Mistake[] = [
  {
    code: 'timestamp_form',
    what: 'matches the same instant in another form than the timestamp that was sent',
    fix: 'Make the sender send exactly the text of the timestamp that it signs.',
    *neighbours(value, { timestamp }) {
      if (timestamp === undefined || !value.signed.includes('timestamp')) return
      for (const text of new Set(formsOf(timestamp.trim()))) {
        if (text === timestamp) continue
        yield { value: withSignedTime(value, text) }
      }
    },
  },
  {
    code: 'timestamp_duplicated',
    pairs: true,
    what: 'matches one of several timestamps, which were sent or added more than once',
    fix: 'Make the proxy pass the header of the timestamp on unchanged, and add none.',
    *neighbours(value, { timestamp }) {
      const texts = timestamp?.split(/,\s*/) ?? []
      if (texts.length < 2 || !value.signed.includes('timestamp')) return
      for (const text of new Set(texts)) {
        yield { value: withSignedTime(value, text) }
      }
    },
  },
]

/** The text, and its instant in the forms that languages write. */
function formsOf(text: string): readonly string[] {
  const instant = instantOf(text)
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return [text]
  const iso = date.toISOString()
  const local = iso.slice(0, 19)
  const seconds = Math.floor(instant / 1000)
  return [
    text,
    String(seconds),
    String(Math.floor(instant)),
    iso,
    `${local}Z`,
    `${local}+00:00`,
    `${iso.slice(0, 23)}+00:00`,
    `${iso.slice(0, 23)}000Z`,
    `${iso.slice(0, 23)}000+00:00`,
    date.toUTCString(),
    local,
    local.replace('T', ' '),
    iso.slice(0, 23),
    String(instant / 1000),
    `${seconds}.0`,
    String(Math.round(instant / 1000)),
    `${Math.floor(instant)}000`,
  ]
}

/** Milliseconds since the epoch. Less strict than the receiver: the signature decides. */
function instantOf(text: string): number {
  return (
    readTimestamp(text) ?? readTimestamp(text.replace(' ', 'T')) ?? Math.floor(Number(text) * 1000)
  )
}
