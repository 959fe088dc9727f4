import { decode, encode } from '../engine/encoding.ts'
import type { Algorithm, Encoding, SchemeValue } from '../value.ts'
import { withDigests } from './digest.ts'
import type { MistakeCode } from './mistake.ts'

/** A mistake in the text of the header with the signature, which an edit of the value cannot say. */
export interface WrittenMistake {
  readonly code: MistakeCode
  readonly what: string
  readonly fix: string
  /** What the text may have been. */
  repaired(text: string, value: SchemeValue): readonly string[]
}

export const WRITTEN_MISTAKES: readonly WrittenMistake[] = [
  {
    code: 'signature_duplicated',
    what: 'is in a header with several values; a proxy may have added one',
    fix: 'Make the proxy pass {header} on unchanged, and add none.',
    repaired: (text, { timestamp }) => {
      const parts = text.includes(',') ? text.split(',').map((one) => one.trim()) : []
      if (!timestamp || !('field' in timestamp.at)) return parts
      // Where a value has its time in it, and commas between its fields, it begins with the time.
      const start = `${timestamp.at.field}=`
      const first = parts.flatMap((one, at) => (one.startsWith(start) ? at : []))
      if (first.length < 2) return []
      return first.map((from, at) => parts.slice(from, first[at + 1]).join(','))
    },
  },
  {
    code: 'signature_upper_case',
    what: 'is written in uppercase hexadecimal',
    fix: 'Write the signature{andPrefix} in lowercase.',
    repaired: (text, { signature }) =>
      signature.encoding === 'hex' && text.length < 1000 ? [text.toLowerCase()] : [],
  },
  {
    code: 'signature_white_space',
    what: 'has white space or quotes around it',
    fix: 'Remove the white space and the quotes where the header is set.',
    repaired: (text) => [unquoted(text), text.replace(/[\s"']+/g, '')],
  },
  {
    code: 'signature_padding',
    what: 'has other padding, or other characters in place of "+" and "/"',
    fix: 'Write the signature in {encoding}.',
    repaired: (text, value) => {
      const { encoding } = value.signature
      if (encoding === 'hex') return []
      return [withDigests(value, text, (digest) => respelled(encoding, digest))]
    },
  },
  {
    code: 'signature_longer',
    what: 'has something behind it',
    fix: 'Write the signature in {encoding}, and nothing behind it.',
    repaired: (text, value) =>
      lengthsOf(value).map((length) =>
        withDigests(value, text, (digest) => digest.slice(0, length)),
      ),
  },
  {
    code: 'signature_prefix_other',
    what: 'has {otherPrefix}',
    fix: 'Write the signature in {encoding}{behindPrefix}.',
    repaired: (text, value) => {
      const { keys, signature } = value
      if (signature.field !== undefined) {
        return [withDigests(value, text, (digest) => behindWord(digest) ?? digest)]
      }
      const behind = [behindWord(text), ...digitsAtEnd(text)]
      return behind.flatMap((one) => (one ? keys.map(({ prefix = '' }) => prefix + one) : []))
    },
  },
  {
    code: 'signature_encoding',
    what: 'is the base64 of its hexadecimal digits',
    fix: 'Write the signature in {encoding}.',
    repaired: (text, value) => {
      const whole = encodedOnce(value, text)
      return [
        withDigests(value, text, (digest) => encodedOnce(value, digest) ?? digest),
        ...(whole ? value.keys.map(({ prefix = '' }) => prefix + whole) : []),
      ]
    },
  },
]

/** The digest without a word in front of it, such as `v1=`. */
function behindWord(text: string): string | undefined {
  return /^[a-z][\w-]{0,31}\s{0,9}[=:,]\s{0,9}(.*)$/is.exec(text)?.[1]
}

function respelled(encoding: Encoding, digest: string): string {
  // All of another encoding is a mistake with a name of its own.
  if (encoding === 'base64' && /^[\w-]*[-_][\w-]*$/.test(digest)) return digest
  const bare = digest.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')
  if (encoding === 'base64url') return bare.replaceAll('+', '-').replaceAll('/', '_')
  return bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')
}

/** How many bytes the shared signatures have. */
const LENGTHS: Readonly<Partial<Record<Algorithm, number>>> = {
  'hmac-sha1': 20,
  'hmac-sha256': 32,
  'hmac-sha512': 64,
}

/** How many characters the signatures of the service have. */
function lengthsOf({ keys, signature: { encoding } }: SchemeValue): readonly number[] {
  return keys.flatMap(({ algorithm }) => {
    const bytes = LENGTHS[algorithm]
    return bytes === undefined ? [] : [encode(encoding, new Uint8Array(bytes)).length]
  })
}

/** The digest whose hexadecimal digits were encoded once more. */
function encodedOnce({ signature: { encoding } }: SchemeValue, text: string): string | undefined {
  if (!/^\w{40,180}={0,2}$/.test(text)) return undefined
  const bytes = decode('hex', decoded(text).toLowerCase())
  return bytes?.length ? encode(encoding, bytes) : undefined
}

/** The lengths of hexadecimal digests. */
const DIGITS = [40, 64, 128]

/** The digest behind a word. A text of hexadecimal digits alone is a longer digest, without a prefix. */
function digitsAtEnd(text: string): readonly string[] {
  return DIGITS.flatMap((length) => {
    const word = text.slice(0, -length)
    const isWord = /^[a-z][\w-]{0,31}\s{0,9}$/i.test(word) && !/^[0-9a-f]+$/i.test(text)
    const digits = text.slice(-length)
    return isWord && /^[0-9a-f]+$/i.test(digits) ? [digits] : []
  })
}

function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim()
}

function decoded(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}
