import { rejection } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'
import { digitsOf } from './encoding.ts'
import type { Method } from './method.ts'
import { namesOf } from './place.ts'

/** What the header of the signature says. */
export interface SignatureHeader {
  /** For each key of the scheme the signatures that can be of it. */
  readonly signatures: readonly (readonly unknown[])[]
  /** The field with the timestamp, if it is in this header. */
  readonly timestamp: string | undefined
}

/**
 * Separators that come in two spellings. Supabase writes `, ` between the signatures of a rotation, as do proxies that join two headers;
 * WorkOS documents its pairs with and without a space.
 */
const SPELLINGS: Readonly<Record<string, RegExp>> = { ' ': /,? /, ', ': /, ?/ }

/** A rotation has a few signatures. More than this is garbage, which would be compared with the prefix of each key. */
const MOST_TOKENS = 100

/** Makes the function that reads the header, which throws `signature_malformed` (401). */
export function signatureReader(
  { signature, keys, timestamp }: SchemeValue,
  methods: readonly Method[],
): (text: string) => SignatureHeader {
  const { separator, field, encoding } = signature
  const [header = ''] = namesOf(signature)
  const prefixes = keys.map(({ prefix = '' }) => prefix)
  const start = field === undefined ? '' : `${field}=`
  const malformed = (fault: string, time = '') => {
    const begins = prefixes.map((prefix) => `"${start}${prefix}"`).join(' or ')
    const signed = `${begins} and a signature in ${encoding}`.replace('"" and ', '')
    return rejection('signature_malformed', { header, expected: time + signed, fault })
  }
  const timeField = timestamp && 'field' in timestamp.at ? timestamp.at.field : undefined
  const timeStart = timeField === undefined ? undefined : `${timeField}=`
  const split = separator === undefined ? undefined : (SPELLINGS[separator] ?? separator)

  /** The signatures behind a prefix that are well-formed. */
  function readWith(method: Method, prefix: string, tokens: readonly string[]): readonly unknown[] {
    const signatures: unknown[] = []
    let count = 0
    for (const token of tokens) {
      if (!token.startsWith(start) || !token.startsWith(prefix, start.length)) continue
      if (++count > method.most) continue
      const signature = method.read(token.slice(start.length + prefix.length))
      if (signature !== undefined) signatures.push(signature)
    }
    if (count > method.most) throw malformed(`has ${count} signatures`)
    return signatures
  }

  /** What is wrong with signatures that begin as they should, where that shows. */
  function faultIn(method: Method, prefix: string, tokens: readonly string[]): string | undefined {
    const { length } = method
    for (const token of tokens) {
      if (!token.startsWith(start + prefix)) continue
      const digits = token.slice(start.length + prefix.length)
      if (encoding === 'hex' && method.read(digits.toLowerCase()) !== undefined) {
        return 'is not in lowercase'
      }
      if (length !== undefined && digits.length > digitsOf(encoding, length)) return 'is too long'
    }
    return undefined
  }

  return (text) => {
    const tokens = split === undefined ? [text] : text.split(split, MOST_TOKENS + 1)
    if (tokens.length > MOST_TOKENS) throw malformed(`has more than ${MOST_TOKENS} values`)
    const time = timeStart === undefined ? undefined : timeIn(timeStart, tokens)
    const signatures = methods.map((method, at) => readWith(method, prefixes[at] ?? '', tokens))
    if (signatures.every(({ length }) => length === 0)) {
      throw malformed(
        split === undefined && text.includes(',')
          ? 'has several values: let no proxy add it again'
          : (methods
              .map((method, at) => faultIn(method, prefixes[at] ?? '', tokens))
              .find(Boolean) ?? 'has another form'),
      )
    }
    return { signatures, timestamp: time }
  }

  function timeIn(start: string, tokens: readonly string[]): string {
    const [time, ...others] = tokens.filter((token) => token.startsWith(start))
    if (time !== undefined && others.length === 0) return time.slice(start.length)
    const fault =
      time === undefined ? `has no "${start}"` : `has "${start}" ${1 + others.length} times`
    throw malformed(fault, `"${start}" and a time, `)
  }
}
