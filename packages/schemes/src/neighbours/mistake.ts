import type { HeaderLookup } from '@webhook-receiver/core'
import { isHeader, isText } from '../engine/coverage.ts'
import { headerAt, namesOf } from '../engine/place.ts'
import type { Part, SchemeValue } from '../value.ts'

/** What the headers of one request hold that a sender may have signed in a wrong way. */
export interface Sent {
  /** The timestamp as it was sent. */
  readonly timestamp: string | undefined
  /** Each identifier in a header that the service does not sign. */
  readonly ids: readonly string[]
}

/** A value as a sender that makes one mistake follows it. */
export interface Neighbour {
  /** Which form of the mistake it is, where there are several. */
  readonly form?: string | undefined
  readonly value: SchemeValue
}

/** docs/reference/diagnosis-codes.md has a row for each. */
export type MistakeCode = `${'message' | 'signature' | 'timestamp'}_${string}`

/** A mistake of a sender or a receiver: an edit of the value of a service. */
export interface Mistake {
  readonly code: MistakeCode
  /** Continues a sentence that begins with "The signature"; `sentenceOf` fills in `{form}` and what the service has in its place. */
  readonly what: string
  readonly fix: string
  /** Whether it is tried together with another cause; only common ones are. */
  readonly pairs?: true
  neighbours(value: SchemeValue, sent: Sent): Iterable<Neighbour>
}

/** The headers of a request as a mistake needs them. `idHeader` is one with an identifier that is not signed. */
export function sentOf(value: SchemeValue, header: HeaderLookup, idHeader?: string): Sent {
  const signed = new Set(value.signed.filter(isHeader).flatMap(namesOf))
  const places = (value.id ?? []).filter(isHeader).flatMap(namesOf)
  const ids = idHeader === undefined ? places : [idHeader, ...places]
  return {
    timestamp: timestampOf(value, header),
    ids: [...new Set(ids)]
      .filter((name) => !signed.has(name))
      .flatMap((name) => header(name)?.split(/,\s*/) ?? [])
      .filter((id) => id !== ''),
  }
}

/** Like what a service sends, to see which mistakes its sender can make. */
export function exampleOf(value: SchemeValue): Sent {
  const at = value.timestamp?.at
  const time = '1795392000'
  return sentOf(value, () => (at && 'field' in at ? `${at.field}=${time}` : time))
}

/** The names of the header that holds the timestamp, alone or in one of its fields; none where it is in the body. */
export function timestampHeader({ timestamp, signature }: SchemeValue): readonly string[] {
  if (!timestamp || 'pointer' in timestamp.at) return []
  return namesOf('header' in timestamp.at ? timestamp.at : signature)
}

function timestampOf(
  { timestamp, signature }: SchemeValue,
  header: HeaderLookup,
): string | undefined {
  const at = timestamp?.at
  if (!at || 'pointer' in at) return undefined
  if ('header' in at) return headerAt(at, header)
  const start = `${at.field}=`
  return headerAt(signature, header)
    ?.split(/[,;\s]+/)
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length)
}

/**
 * The value with the text of the timestamp that was sent in place of the timestamp, so that nothing asks for its form: the signature
 * alone decides. `undefined` where a timestamp is signed, and none was sent.
 */
export function withTimestamp(
  value: SchemeValue,
  text: string | undefined,
): SchemeValue | undefined {
  if (text === undefined && value.signed.includes('timestamp')) return undefined
  return { ...withSignedTime(value, text ?? ''), timestamp: undefined }
}

/** The value with a text signed in place of the timestamp. */
export function withSignedTime(value: SchemeValue, text: string): SchemeValue {
  // Beside a text that is not empty, a header may not have the character that touches it.
  const time = [{ text: '' }, { text }, { text: '' }]
  return {
    ...value,
    signed: partsOf(value.signed.flatMap((part) => (part === 'timestamp' ? time : part))),
  }
}

/** Parts of which there is at least one: a signature without any would be that of every request. */
export function partsOf(parts: readonly Part[]): SchemeValue['signed'] {
  const [first = 'body', ...rest] = parts
  return [first, ...rest]
}

/** The sentences of a mistake, for one service. */
export function sentenceOf(template: string, value: SchemeValue): string {
  const named = wordsOf(value)
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => named[name] ?? whole)
}

/** What a service signs and how, in words: each part, and `signing` for all of them. */
export function signingWords(value: SchemeValue): Readonly<Record<string, string>> {
  const words = wordsOf(value)
  const { hash, signed, encoding, prefix, header } = words
  const behind = prefix ? `, behind "${prefix}"` : ''
  return { ...words, signing: `${hash} over ${signed}, as ${encoding}${behind} in ${header}` }
}

function wordsOf(value: SchemeValue): Readonly<Record<string, string>> {
  const { signature, keys, signed } = value
  const [{ algorithm, prefix: start = '' }] = keys
  const prefix = `${signature.field ? `${signature.field}=` : ''}${start}`
  return {
    signed: signed
      .map(partInWords)
      .join(', ')
      .replace(/, ([^,]+)$/, ' and $1'),
    header: namesOf(signature).join(' or '),
    prefix,
    otherPrefix: prefix
      ? `another prefix than "${prefix}"`
      : 'a prefix, of which the service writes none',
    behindPrefix: prefix
      ? ` behind "${prefix}", and nothing else in front of it`
      : ', and nothing in front of it',
    andPrefix: prefix && `, and "${prefix}",`,
    encoding: signature.encoding === 'hex' ? 'lowercase hexadecimal' : signature.encoding,
    hash: algorithm.toUpperCase().replace('SHA', 'SHA-').replace('--', '-'),
    timestamp: timestampHeader(value).join(' or '),
  }
}

function partInWords(part: Part): string {
  if (isText(part)) return JSON.stringify(part.text)
  if (isHeader(part)) return namesOf(part).join(' or ')
  return {
    timestamp: 'the timestamp as sent',
    url: 'the URL',
    body: 'the raw body',
    form: 'the sorted fields of the form',
  }[part]
}
