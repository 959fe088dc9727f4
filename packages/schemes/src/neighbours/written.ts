import type { SchemeValue } from '../value.ts'

/** A mistake in the text of the header with the signature, which an edit of the value cannot say. */
export interface WrittenMistake {
  readonly code: string
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
    repaired: (text) => (text.includes(',') ? text.split(',').map((one) => one.trim()) : []),
  },
  {
    code: 'signature_upper_case',
    what: 'is written in uppercase hexadecimal',
    fix: 'Write the signature, and "{prefix}", in lowercase.',
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
    code: 'signature_prefix_other',
    what: 'has another prefix than "{prefix}"',
    fix: 'Write the signature in {encoding} behind "{prefix}", and nothing else in front of it.',
    repaired: (text, { keys, signature }) => {
      if (signature.field !== undefined) return []
      const behind = [
        /^[a-z][\w-]{0,31}\s{0,9}[=:,]\s{0,9}(.*)$/is.exec(text)?.[1],
        ...digitsAtEnd(text),
      ]
      return behind.flatMap((one) => (one ? keys.map(({ prefix = '' }) => prefix + one) : []))
    },
  },
  {
    code: 'signature_encoding',
    what: 'is the base64 of its hexadecimal digits',
    fix: 'Write the signature in {encoding}.',
    repaired: (text, { keys, signature }) => {
      if (signature.encoding !== 'hex') return []
      return keys.flatMap(({ prefix = '' }) => {
        const bare = text.startsWith(prefix) ? text.slice(prefix.length) : text
        const digits = /^[\w+/-]{40,180}={0,2}$/.test(bare) ? decoded(bare) : ''
        return /^[0-9a-f]+$/i.test(digits) ? [prefix + digits.toLowerCase()] : []
      })
    },
  },
]

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
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}
