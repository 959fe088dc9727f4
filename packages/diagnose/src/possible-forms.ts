import type { Finding } from '@webhook-receiver/core'
import { formatsOf } from './compression-forms.ts'
import type { Evidence } from './evidence.ts'
import type { Cause } from './finding.ts'

/** A cause that no computing can undo, and what in the request speaks for it. */
export interface PossibleForm extends Cause {
  shows(evidence: Evidence): boolean
}

export const POSSIBLE_FORMS: readonly PossibleForm[] = [
  {
    code: 'signature_missing',
    what: 'is missing',
    fix: 'Check that the request comes from the service and that no proxy drops X-Webhook-Signature.',
    shows: ({ signatures }) => signatures.length === 0,
  },
  {
    code: 'timestamp_missing',
    what: 'covers a timestamp, and X-Webhook-Timestamp is missing',
    fix: 'Check that no proxy drops X-Webhook-Timestamp.',
    shows: ({ timestamps }) => timestamps.length === 0,
  },
  {
    code: 'body_lossy',
    what: 'does not fit a body that holds U+FFFD, as text does that was decoded with losses',
    fix: 'Give the receiver the bytes as they came, and let nothing in front decode the body to text.',
    shows: ({ text }) => text?.includes('\uFFFD') ?? false,
  },
  {
    code: 'body_inflated',
    what: 'does not fit a body that came with a Content-Encoding and is not compressed any more',
    fix: 'Keep the bytes before they are inflated, or turn off the compression of requests.',
    shows: ({ contentEncoding, body, text }) =>
      /\b(?:gzip|deflate|br|zstd)\b/.test(contentEncoding) &&
      body.length > 0 &&
      text !== undefined &&
      formatsOf(body).length === 0,
  },
  {
    code: 'body_length_changed',
    what: 'does not fit a body whose length is not what Content-Length says',
    fix: 'Give the receiver the bytes as they came: something in front of it changed, cut or read the body.',
    shows: ({ contentLength, body }) =>
      /^\d+$/.test(contentLength) && Number(contentLength) !== body.length,
  },
]

/** What the request itself speaks for, where no MAC could be found equal. */
export function findPossible(evidence: Evidence, hasBody: boolean): readonly Finding[] {
  return POSSIBLE_FORMS.filter(
    ({ code, shows }) => (hasBody || !code.startsWith('body_')) && shows(evidence),
  ).map(({ code, what, fix }) => ({
    code,
    certainty: 'possible',
    message: `The signature ${what}, which is possibly the cause.`,
    fix,
  }))
}
