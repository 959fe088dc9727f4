import type { Finding } from '@webhook-receiver/core/internal'
import type { RequestParts } from '../request/request-parts.ts'
import { type Cause, finding } from './finding.ts'

/** A cause that no MAC can prove. */
export interface PossibleForm extends Cause {
  /** Whether the request looks like it. */
  isLikely(parts: RequestParts): boolean
}

export const POSSIBLE_FORMS: readonly PossibleForm[] = [
  {
    code: 'body_empty',
    what: 'does not match a body that arrived empty',
    fix: 'Give the receiver the bytes as received: a body parser, a wrapper of the handler or the hosting has read them first, or a proxy or a redirect has sent the request on without them.',
    isLikely: ({ body }) => body.length === 0,
  },
  {
    code: 'body_lossy',
    what: 'does not match a body that contains U+FFFD, which a decoder writes in place of other bytes',
    fix: 'Give the receiver the bytes as received, and make sure that nothing before it decodes the body to text.',
    isLikely: ({ text }) => text?.includes('\uFFFD') ?? false,
  },
  {
    code: 'body_inflated',
    what: 'does not match a body that has a Content-Encoding and is not compressed',
    fix: 'Keep the bytes from before the decompression, or turn off request compression.',
    isLikely: ({ contentEncoding, body, text }) =>
      /\b(?:gzip|deflate|br|zstd)\b/.test(contentEncoding) && body.length > 0 && text !== undefined,
  },
  {
    code: 'body_length_changed',
    what: 'does not match a body whose length differs from Content-Length',
    fix: 'Give the receiver the bytes as received: something before it changed, cut or read the body.',
    isLikely: ({ contentLength, body }) =>
      /^\d+$/.test(contentLength) && Number(contentLength) !== body.length,
  },
]

/** The causes that the body makes likely, where no MAC is equal. */
export function findPossible(parts: RequestParts): readonly Finding[] {
  return POSSIBLE_FORMS.filter(({ isLikely }) => isLikely(parts)).map((cause) =>
    finding([{ cause }], 'possible'),
  )
}
