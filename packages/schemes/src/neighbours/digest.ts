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

/** Another signature of the same form: its last bit is the other one. */
export function otherDigest({ signature: { encoding } }: SchemeValue, digest: string): string {
  const bytes = decode(encoding, digest)
  if (!bytes) return digest
  const last = bytes.length - 1
  return encode(encoding, bytes.with(last, (bytes[last] ?? 0) ^ 1))
}
