import { readTimestamp } from '@webhook-receiver/core/internal'
import type { Cause } from './finding.ts'
import { OTHER_SCHEME } from './signature-forms.ts'

/** Where timestamps are found in a request. */
interface TimestampParts {
  /** Each line of X-Webhook-Timestamp. */
  readonly lines: readonly string[]
  /** The `t=` of a signature of another scheme. */
  readonly inSignature: readonly string[]
}

/** A way in which the signed timestamp differs from the header. */
export interface TimestampForm extends Cause {
  variants(parts: TimestampParts): readonly string[]
}

export const TIMESTAMP_FORMS: readonly TimestampForm[] = [
  {
    code: 'timestamp_duplicated',
    what: 'matches one of several values of X-Webhook-Timestamp, which was sent or added more than once',
    fix: 'Make the proxy pass X-Webhook-Timestamp on unchanged, and add none.',
    variants: ({ lines }) => lines.flatMap((line) => line.split(/,\s*/)),
  },
  {
    code: 'timestamp_form',
    what: 'matches the same instant in another form than in X-Webhook-Timestamp',
    fix: 'Make the sender put exactly the text that it signs into X-Webhook-Timestamp.',
    variants: ({ lines }) => lines.flatMap((line) => formsOf(line.trim())),
  },
  {
    code: OTHER_SCHEME.code,
    what: OTHER_SCHEME.what,
    fix: OTHER_SCHEME.fix,
    variants: ({ inSignature }) => inSignature,
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

/** Milliseconds since the epoch. Less strict than the receiver: the MAC decides. */
function instantOf(text: string): number {
  return (
    readTimestamp(text) ?? readTimestamp(text.replace(' ', 'T')) ?? Math.floor(Number(text) * 1000)
  )
}
