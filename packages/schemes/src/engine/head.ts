import type { HeaderLookup, RequestHead, SignedHead } from '@webhook-receiver/core'
import { rejection, signatureMissing, wrongMethod } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'
import type { ContentReader, SignedContent } from './content.ts'
import { isHeader } from './coverage.ts'
import type { Method } from './method.ts'
import { headerAt, namesOf } from './place.ts'
import { type SignatureHeader, signatureReader } from './signatures.ts'
import { clockReader, WRITTEN } from './timestamp.ts'

/** What the head of an acceptable request says. */
export interface Head extends SignedHead, SignedContent, Pick<SignatureHeader, 'signatures'> {
  readonly header: HeaderLookup
  /** What signed headers hold, by their place among the signed parts. The application may change the headers before the key is read. */
  readonly said: readonly (string | undefined)[]
  /** The parsed body. */
  data?: object
}

interface HeadReader {
  /** @throws WebhookError 405 or 401. */
  readonly readHead: (request: RequestHead) => Head
  readonly claimedTime: (header: HeaderLookup) => number | undefined
}

export function headReader(
  value: SchemeValue,
  methods: readonly Method[],
  contentOf: ContentReader,
): HeadReader {
  const { signature, timestamp, signed } = value
  const saysMore = signed.some(isHeader)
  const readSignatures = signatureReader(value, methods)
  const readClock = timestamp && clockReader(timestamp)
  const timeHeader = timestamp && 'header' in timestamp.at ? timestamp.at : undefined
  const timeField = timestamp !== undefined && 'field' in timestamp.at

  function timeOf(header: HeaderLookup, field: string | undefined): string | undefined {
    if (!timeHeader && !timeField) return undefined
    const time = timeHeader ? headerAt(timeHeader, header) : field
    if (time && readClock?.(time) !== undefined) return time
    const place = namesOf(timeHeader ?? signature).join(' or ')
    if (!time) throw rejection('timestamp_missing', { header: place })
    throw rejection('signature_malformed', {
      header: place,
      expected: WRITTEN[timestamp?.unit ?? 's'],
      fault: `has a time of ${time.length} characters`,
    })
  }

  return {
    readHead(request) {
      const { method, header, url = '', isRegistered = false } = request
      if (method !== 'POST') throw wrongMethod(request, namesOf(signature), value)
      const text = headerAt(signature, header)
      if (!text) throw signatureMissing(request, namesOf(signature), value)
      const { signatures, timestamp: field } = readSignatures(text)
      const time = timeOf(header, field)
      const { around, digest } = contentOf({ header, timestamp: time ?? '', url, isRegistered })
      const said = saysMore
        ? signed.map((part) => (isHeader(part) ? headerAt(part, header) : undefined))
        : NOTHING
      return { timestamp: time, signatures, around, header, said, digest }
    },
    claimedTime(header) {
      try {
        const time = timeHeader
          ? headerAt(timeHeader, header)
          : timeField && readSignatures(headerAt(signature, header) ?? '').timestamp
        return readClock?.(time || '')
      } catch {
        return undefined
      }
    },
  }
}

const NOTHING: Head['said'] = []
