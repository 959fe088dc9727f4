import { decode, encode } from '../engine/encoding.ts'
import type { SchemeValue } from '../value.ts'

/** The text of a signature header with each signature in it changed; the rest stays as it is. */
export function withDigests(
  { signature, keys }: SchemeValue,
  text: string,
  change: (digest: string) => string,
): string {
  const { separator, field } = signature
  const starts = keys.map(({ prefix = '' }) => `${field === undefined ? '' : `${field}=`}${prefix}`)
  const tokens = separator === undefined ? [text] : text.split(separator)
  return tokens
    .map((token) => {
      const start = starts.find((one) => token.startsWith(one))
      return start === undefined ? token : start + change(token.slice(start.length))
    })
    .join(separator)
}

/** Another signature of the same form: one bit is the other one, from the first byte (0) to the last one (1). */
export function otherDigest(
  { signature: { encoding } }: SchemeValue,
  digest: string,
  where = 1,
): string {
  const bytes = decode(encoding, digest)
  if (!bytes) return digest
  const at = Math.floor((bytes.length - 1) * where)
  return encode(encoding, bytes.with(at, (bytes[at] ?? 0) ^ 1))
}
