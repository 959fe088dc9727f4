import { hexadecimal, MAC_BYTES } from '@webhook-receiver/core/signature'
import { fromBase64, fromHexadecimal, latin1TextOf } from './encodings.ts'
import type { Cause } from './finding.ts'

/** A way to write a signature that is not the contract's. */
export interface SignatureForm extends Cause {
  /** The digests that the lines of the header hold, if they are written in this form. */
  variants(lines: readonly string[]): readonly (Uint8Array | undefined)[]
}

/** A digest that was received, and the form it was written in where that is not the contract's. */
export interface Claim {
  readonly digest: Uint8Array
  readonly form?: SignatureForm
}

const EXACT = /^sha256=([0-9a-f]{64})$/
const HASH_BYTES: readonly number[] = [20, 48, 64]

export const SCHEME: SignatureForm = {
  code: 'signature_scheme',
  what: 'is made as another scheme has it (v1,… or t=…,v1=…)',
  fix: 'Send the headers and the signature of this contract, or verify with a library for that scheme.',
  variants: (lines) =>
    lines.flatMap((line) => {
      const parts = line.split(/[\s,]+/)
      const pairs = parts.map((part, at) => `${part},${parts[at + 1]}`)
      return [
        ...one(parts, /^v\d=([0-9a-f]{64})$/i, fromHexadecimal),
        ...one(pairs, /^v\d,([\w+/-]{43}=?)$/, fromBase64),
      ]
    }),
}

export const TRUNCATED: SignatureForm = {
  code: 'signature_truncated',
  what: 'is cut off',
  fix: 'Look for what shortens the header: a column, a log or a template with a limit.',
  variants: (lines) => one(lines, /^(?:sha256=)?([0-9a-f]{16,63})$/i, fromHexadecimalCut),
}

export const OTHER_HASH: SignatureForm = {
  code: 'signature_other_hash',
  what: 'is made with another hash than SHA-256',
  fix: 'Let the sender sign with HMAC-SHA256.',
  variants: (lines) =>
    one(lines, /^(?:(?:hmac-)?sha-?\d+[=:])?([\w+/-]+={0,2})$/i, (text) => {
      const digest = fromHexadecimal(text) ?? fromBase64(text)
      return digest && HASH_BYTES.includes(digest.length) ? digest : undefined
    }),
}

export const SIGNATURE_FORMS: readonly SignatureForm[] = [
  {
    code: 'signature_duplicated',
    what: 'stands in a header of several values, as a proxy leaves it that adds one',
    fix: 'Let the proxy in front pass X-Webhook-Signature on as it is and add none.',
    variants: (lines) => lines.flatMap(valuesOf).map(exact),
  },
  {
    code: 'signature_upper_case',
    what: 'is written in upper-case hexadecimal',
    fix: 'Write the digest, and "sha256=", in lower case.',
    variants: (lines) => one(lines, /^sha256=([0-9a-f]{64})$/i, fromHexadecimal),
  },
  {
    code: 'signature_prefix_missing',
    what: 'stands without its prefix "sha256="',
    fix: 'Put "sha256=" in front of the digest.',
    variants: (lines) => one(lines, /^([0-9a-f]{64})$/i, fromHexadecimal),
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
  SCHEME,
  {
    code: 'signature_prefix_other',
    what: 'stands behind another prefix than "sha256="',
    fix: 'Put "sha256=" in front of the digest in place of the other prefix.',
    variants: (lines) => lines.map(behindPrefix),
  },
  {
    code: 'signature_base64',
    what: 'is written in base64',
    fix: 'Write the digest in lower-case hexadecimal.',
    variants: (lines) =>
      one(lines, /^(?:sha-?256[=:])?([\w+/-]{43}=?|[\w+/-]{86}(?:==)?)$/i, fromBase64Digest),
  },
  OTHER_HASH,
  TRUNCATED,
]

/** The digests that the header may mean: only the one, where it is written as the contract has it. */
export function readClaims(lines: readonly string[]): readonly Claim[] {
  const [right] = lines.length === 1 ? lines.map(exact) : []
  if (right) return [{ digest: right }]
  const claims = new Map<string, Claim>()
  for (const form of SIGNATURE_FORMS) {
    for (const digest of form.variants(lines)) {
      if (!digest) continue
      const key = `${form === OTHER_HASH} ${hexadecimal(digest)}`
      if (!claims.has(key)) claims.set(key, { digest, form })
    }
  }
  return [...claims.values()]
}

function exact(value: string): Uint8Array | undefined {
  return fromHexadecimal(digits(EXACT, value))
}

function one(
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
 * The digest behind a word, with `=`, `:` or `,` between. Read from the end, in parts: one expression for all would take
 * quadratic time over white space.
 */
function behindPrefix(line: string): Uint8Array | undefined {
  const digest = fromHexadecimal(line.slice(-2 * MAC_BYTES))
  const prefix = line.slice(0, -2 * MAC_BYTES).trimEnd()
  const word = /[=:,]$/.test(prefix) ? prefix.slice(0, -1).trimEnd() : prefix
  // What is hexadecimal from end to end is a longer digest, and no prefix.
  const isPrefix = /^[a-z][\w-]*$/i.test(word) && !/^[0-9a-f]+$/i.test(line)
  return isPrefix && digest?.length === MAC_BYTES ? digest : undefined
}

/** Of an odd number of digits the last one is half a byte. */
function fromHexadecimalCut(text: string): Uint8Array | undefined {
  return fromHexadecimal(text.slice(0, text.length - (text.length % 2)))
}

/** Base64 of the digest, or of its hexadecimal digits. */
function fromBase64Digest(text: string): Uint8Array | undefined {
  const bytes = fromBase64(text)
  return bytes?.length === MAC_BYTES * 2 ? fromHexadecimal(latin1TextOf(bytes)) : bytes
}
