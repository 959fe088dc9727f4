import { hexadecimal, MAC_BYTES } from '@webhook-receiver/core/internal'
import { fromBase64, fromHexadecimal, latin1TextOf } from '../text/encodings.ts'
import type { Cause } from './finding.ts'

/** A way to write a signature that differs from the contract. */
export interface SignatureForm extends Cause {
  /** The digests in the lines of the header, if they are written in this form. */
  variants(lines: readonly string[]): readonly (Uint8Array | undefined)[]
}

/** A digest that was received, and its form where that differs from the contract. */
export interface ReceivedDigest {
  readonly digest: Uint8Array
  readonly form?: SignatureForm
}

const EXACT = /^sha256=([0-9a-f]{64})$/
/** The lengths of the digests of SHA-1 and SHA-512. */
const HASH_BYTES: readonly number[] = [20, 64]

export const OTHER_SCHEME: SignatureForm = {
  code: 'signature_scheme',
  what: 'has the form of another scheme (v1,… or t=…,v1=…)',
  fix: 'Make the sender use the headers and the signature of this contract, or verify with a library for that scheme.',
  variants: (lines) =>
    lines.flatMap((line) => {
      const parts = line.split(/[\s,]+/)
      const pairs = parts.map((part, at) => `${part},${parts[at + 1]}`)
      return [
        ...eachLine(parts, /^v\d=([0-9a-f]{64})$/i, fromHexadecimal),
        ...eachLine(pairs, /^v\d,([\w+/-]{43}=?)$/, fromBase64),
      ]
    }),
}

const OTHER_HASH: SignatureForm = {
  code: 'signature_other_hash',
  what: 'uses another hash than SHA-256',
  fix: 'Make the sender sign with HMAC-SHA256.',
  variants: (lines) =>
    eachLine(lines, /^(?:(?:hmac-)?sha-?\d+[=:])?([\w+/-]+={0,2})$/i, (text) => {
      const digest = fromHexadecimal(text) ?? fromBase64(text)
      return digest && HASH_BYTES.includes(digest.length) ? digest : undefined
    }),
}

export const SIGNATURE_FORMS: readonly SignatureForm[] = [
  {
    code: 'signature_duplicated',
    what: 'is in a header with several values; a proxy may have added one',
    fix: 'Make the proxy pass X-Webhook-Signature on unchanged, and add none.',
    variants: (lines) => lines.flatMap(valuesOf).map(exact),
  },
  {
    code: 'signature_upper_case',
    what: 'is written in upper-case hexadecimal',
    fix: 'Write the digest, and "sha256=", in lower case.',
    variants: (lines) => eachLine(lines, /^sha256=([0-9a-f]{64})$/i, fromHexadecimal),
  },
  {
    code: 'signature_prefix_missing',
    what: 'lacks its prefix "sha256="',
    fix: 'Put "sha256=" before the digest.',
    variants: (lines) => eachLine(lines, /^([0-9a-f]{64})$/i, fromHexadecimal),
  },
  {
    code: 'signature_white_space',
    what: 'has white space or quotes around it',
    fix: 'Remove the white space and the quotes where the header is set.',
    variants: (lines) =>
      lines.map((line) =>
        exact(
          line
            .trim()
            .replace(/^(["'])(.*)\1$/, '$2')
            .trim(),
        ),
      ),
  },
  OTHER_SCHEME,
  {
    code: 'signature_prefix_other',
    what: 'has another prefix than "sha256="',
    fix: 'Put "sha256=" before the digest in place of the other prefix.',
    variants: (lines) => lines.map(behindPrefix),
  },
  {
    code: 'signature_base64',
    what: 'is written in base64',
    fix: 'Write the digest in lower-case hexadecimal.',
    variants: (lines) =>
      eachLine(lines, /^(?:sha-?256[=:])?([\w+/-]{43}=?|[\w+/-]{86}(?:==)?)$/i, fromBase64Digest),
  },
  OTHER_HASH,
]

/** The digests that the header may hold. There is only one where the form is right. */
export function readDigests(lines: readonly string[]): readonly ReceivedDigest[] {
  const [right] = lines.length === 1 ? lines.map(exact) : []
  if (right) return [{ digest: right }]
  const digests = new Map<string, ReceivedDigest>()
  for (const form of SIGNATURE_FORMS) {
    for (const digest of form.variants(lines)) {
      if (!digest) continue
      const key = `${form === OTHER_HASH} ${hexadecimal(digest)}`
      if (!digests.has(key)) digests.set(key, { digest, form })
    }
  }
  return [...digests.values()]
}

function exact(value: string): Uint8Array | undefined {
  return fromHexadecimal(digits(EXACT, value))
}

function eachLine(
  lines: readonly string[],
  shape: RegExp,
  read: (digits: string) => Uint8Array | undefined,
): readonly (Uint8Array | undefined)[] {
  return lines.map((line) => read(digits(shape, line)))
}

function digits(shape: RegExp, text: string): string {
  return shape.exec(text)?.[1] ?? ''
}

function valuesOf(line: string): readonly string[] {
  return line.includes(',') ? line.split(',').map((value) => value.trim()) : [line]
}

/**
 * The digest after a word, with `=`, `:` or `,` between them. Read from the end, in parts: one regular expression would take
 * quadratic time for white space.
 */
function behindPrefix(line: string): Uint8Array | undefined {
  const digest = fromHexadecimal(line.slice(-2 * MAC_BYTES))
  const prefix = line.slice(0, -2 * MAC_BYTES).trimEnd()
  const word = /[=:,]$/.test(prefix) ? prefix.slice(0, -1).trimEnd() : prefix
  // A line of hexadecimal digits alone is a longer digest, without a prefix.
  const isPrefix = /^[a-z][\w-]*$/i.test(word) && !/^[0-9a-f]+$/i.test(line)
  return isPrefix && digest?.length === MAC_BYTES ? digest : undefined
}

/** Base64 of the digest, or of its hexadecimal digits. */
function fromBase64Digest(text: string): Uint8Array | undefined {
  const bytes = fromBase64(text)
  return bytes?.length === MAC_BYTES * 2 ? fromHexadecimal(latin1TextOf(bytes)) : bytes
}
