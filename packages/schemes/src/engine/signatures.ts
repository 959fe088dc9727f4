import { rejection } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'
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

/** Makes the function that reads the header, which throws `signature_malformed` (401). */
export function signatureReader(
  { signature, keys, timestamp }: SchemeValue,
  methods: readonly Method[],
): (text: string) => SignatureHeader {
  const { separator, field, encoding } = signature
  const header = namesOf(signature).join(' or ')
  const prefixes = keys.map(({ prefix = '' }) => prefix)
  const named = field === undefined ? '' : `${field}=`
  const expected = prefixes
    .map((prefix) => `"${named}${prefix}" and a signature in ${encoding}`)
    .join(', or ')
    .replaceAll('"" and ', '')
  const malformed = (fault: string) => rejection('signature_malformed', { header, expected, fault })
  const timeField = timestamp && 'field' in timestamp.at ? timestamp.at.field : undefined
  return (text) => {
    const tokens = separator === undefined ? [text] : text.split(SPELLINGS[separator] ?? separator)
    const own = field === undefined ? tokens : valuesOf(field, tokens)
    const times = timeField === undefined ? [] : valuesOf(timeField, tokens)
    if (timeField !== undefined && times.length !== 1) {
      throw malformed(`it has ${times.length} fields ${timeField}, but one is needed`)
    }
    const signatures = methods.map((method, index) => {
      const prefix = prefixes[index] ?? ''
      const found = own.filter((token) => token.startsWith(prefix))
      if (found.length > method.most) throw malformed(`it has ${found.length} signatures`)
      return found
        .map((token) => method.read(token.slice(prefix.length)))
        .filter((signature) => signature !== undefined)
    })
    if (signatures.every(({ length }) => length === 0)) {
      throw malformed(
        text.includes(', ')
          ? 'it has several values, perhaps because a proxy added the header again'
          : 'it has no such signature',
      )
    }
    return { signatures, timestamp: times[0] }
  }
}

function valuesOf(name: string, pairs: readonly string[]): readonly string[] {
  const start = `${name}=`
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length))
}
