import { hexadecimal } from '@webhook-receiver/core/internal'
import { decode, encode } from '../engine/encoding.ts'
import type { Mistake } from './mistake.ts'

/** A secret as text, or the bytes of a key. */
export type KeySource = string | Uint8Array<ArrayBuffer>

/** A mistake in the secret, or in how a key is made of it. */
export interface SecretMistake extends Pick<Mistake, 'what' | 'fix'> {
  readonly code: string
  variants(secret: string): readonly (KeySource | undefined)[]
}

const PREFIX = 'whsec_'
const withoutPrefix = (secret: string) => secret.replace(/^(?:whsec_)+/, '')

export const SECRET_MISTAKES: readonly SecretMistake[] = [
  {
    code: 'secret_white_space',
    what: 'matches the secret with other white space around it',
    fix: 'Remove the white space or line break around the secret where it is set, here or at the sender.',
    variants: (secret) => [
      secret.trim(),
      ...['\n', '\r\n', ' ', '\r'].map((end) => secret.trim() + end),
      ` ${secret.trim()}`,
      secret.replaceAll(/\s/g, ''),
    ],
  },
  {
    code: 'secret_quoted',
    what: 'matches the secret with other quotes around it',
    fix: 'Remove the quotes around the secret where it is set, here or at the sender.',
    variants: (secret) => [
      secret.trim().replace(/^(["'`])(.*)\1$/s, '$2'),
      ...['"', "'", '`'].map((quote) => quote + secret + quote),
    ],
  },
  {
    code: 'secret_prefix_missing',
    what: 'matches the secret with "whsec_" before it',
    fix: 'Set the whole secret as the registration returned it, with its prefix.',
    variants: (secret) => [secret.startsWith(PREFIX) ? undefined : PREFIX + secret],
  },
  {
    code: 'secret_prefix_left_out',
    what: 'matches the secret without its prefix "whsec_"',
    fix: 'Make the sender use the whole secret as the key, with its prefix.',
    variants: (secret) => [withoutPrefix(secret)],
  },
  {
    code: 'secret_prefix_doubled',
    what: 'matches the secret with another number of prefixes "whsec_"',
    fix: 'Set the secret with exactly one "whsec_" before it, here and at the sender.',
    variants: (secret) => [PREFIX + withoutPrefix(secret), PREFIX + PREFIX + withoutPrefix(secret)],
  },
  {
    code: 'secret_decoded',
    what: 'matches the secret decoded from base64 or hexadecimal',
    fix: 'Your secret may still be encoded: pass it as the service shows it. If you do, make the sender use its text as the key.',
    variants: decodedForms,
  },
  {
    code: 'secret_not_decoded',
    what: 'matches the text of the secret, which was not decoded',
    fix: 'The sender uses the text of the secret as the key: pass its prefix and that text in base64. Or make the sender decode it.',
    variants: (secret) => [utf8(secret), utf8(withoutPrefix(secret))],
  },
  {
    code: 'secret_decoded_twice',
    what: 'matches the secret decoded twice',
    fix: 'Decode the secret as often as the service does, here and at the sender.',
    variants: (secret) =>
      decodedForms(secret).flatMap((bytes) => {
        const text = bytes && textOf(bytes)
        return text === undefined ? [] : decodedForms(text)
      }),
  },
  {
    code: 'secret_encoded',
    what: 'matches the secret encoded once more, in base64, hexadecimal or for a URL',
    fix: 'Use the secret as the registration returned it, here and at the sender, and encode nothing.',
    variants: (secret) => [
      ...[secret, withoutPrefix(secret)].map(utf8).flatMap(encodedForms),
      ...decodedForms(secret).flatMap((bytes) => bytes && encodedForms(bytes)),
      encodeURIComponent(secret),
      urlDecoded(secret),
    ],
  },
]

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function textOf(bytes: Uint8Array): string | undefined {
  const text = String.fromCharCode(...bytes)
  return /^[!-~]+$/.test(text) ? text : undefined
}

/** The keys themselves: a text of them would be decoded again by a service that does that. */
function encodedForms(bytes: Uint8Array<ArrayBuffer>): readonly Uint8Array<ArrayBuffer>[] {
  return [encode('base64', bytes), hexadecimal(bytes)].map(utf8)
}

/** What base64 and base64url, as lenient decoders read them, and hexadecimal digits in any case stand for. */
function decodedForms(secret: string): readonly (Uint8Array<ArrayBuffer> | undefined)[] {
  return [withoutPrefix(secret), secret].flatMap((text) => [
    fromBase64(text),
    decode('hex', text.toLowerCase()),
  ])
}

/** Other characters are left out, as Node does; what has white space in it is a mistake of its own. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (/\s/.test(text)) return undefined
  const digits = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^\w+/]/g, '')
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits
  return whole === '' ? undefined : Uint8Array.from(atob(whole), (one) => one.charCodeAt(0))
}

function urlDecoded(secret: string): string | undefined {
  try {
    return decodeURIComponent(secret)
  } catch {
    return undefined
  }
}
