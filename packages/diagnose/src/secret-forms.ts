import { hexadecimal } from '@webhook-receiver/core/signature'
import { fromBase64, fromHexadecimal, toBase64, utf8 } from './encodings.ts'
import type { Cause } from './finding.ts'

export type KeySource = string | Uint8Array<ArrayBuffer>

/** A way in which the sender's key differs from the secret at hand. */
export interface SecretForm extends Cause {
  variants(secret: string): readonly (KeySource | undefined)[]
}

const PREFIX = 'whsec_'
const bare = (secret: string) => secret.replace(/^(?:whsec_)+/, '')

export const SECRET_FORMS: readonly SecretForm[] = [
  {
    code: 'secret_white_space',
    what: 'fits the secret with other white space around it',
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
    what: 'fits the secret with other quotes around it',
    fix: 'Remove the quotes around the secret where it is set, here or at the sender.',
    variants: (secret) => [
      secret.trim().replace(/^(["'`])(.*)\1$/s, '$2'),
      ...['"', "'", '`'].map((quote) => quote + secret + quote),
    ],
  },
  {
    code: 'secret_prefix_missing',
    what: 'fits the secret with "whsec_" in front',
    fix: 'Set the whole secret as the registration returned it, with its prefix.',
    variants: (secret) => [secret.startsWith(PREFIX) ? undefined : PREFIX + secret],
  },
  {
    code: 'secret_prefix_left_out',
    what: 'fits the secret without its prefix "whsec_"',
    fix: 'Let the sender use the whole secret as the key, with its prefix.',
    variants: (secret) => [bare(secret)],
  },
  {
    code: 'secret_prefix_doubled',
    what: 'fits the secret with another number of prefixes "whsec_"',
    fix: 'Set the secret with exactly one "whsec_" in front, here and at the sender.',
    variants: (secret) => [PREFIX + bare(secret), PREFIX + PREFIX + bare(secret)],
  },
  {
    code: 'secret_decoded',
    what: 'fits the secret decoded from base64 or hexadecimal',
    fix: 'Let the sender use the text of the secret as the key, and decode nothing.',
    variants: (secret) =>
      [bare(secret), secret].flatMap((text) => [fromBase64(text), fromHexadecimal(text)]),
  },
  {
    code: 'secret_encoded',
    what: 'fits the secret encoded once more, in base64, hexadecimal or for a URL',
    fix: 'Use the secret as the registration returned it, here and at the sender, and encode nothing.',
    variants: (secret) => [
      ...[secret, bare(secret)].flatMap((text) => [toBase64(utf8(text)), hexadecimal(utf8(text))]),
      encodeURIComponent(secret),
      urlDecoded(secret),
    ],
  },
  {
    code: 'secret_case',
    what: 'fits the secret in other capitals',
    fix: 'Set the secret letter by letter as the registration returned it.',
    variants: (secret) => [
      secret.toLowerCase(),
      secret.toUpperCase(),
      PREFIX + bare(secret).toLowerCase(),
      PREFIX + bare(secret).toUpperCase(),
    ],
  },
]

/** The causes where another string is the key altogether. */
export const OTHER_SECRET: Cause = {
  code: 'secret_other',
  what: 'fits the secret of another webhook',
  fix: 'Give the receiver at this URL the secret of the webhook that is registered for it.',
}
export const API_KEY: Cause = {
  code: 'secret_api_key',
  what: 'fits the API key in place of the secret',
  fix: 'Sign with the secret that the registration returned; the API key is for calls to the service.',
}

function urlDecoded(secret: string): string | undefined {
  try {
    return decodeURIComponent(secret)
  } catch {
    return undefined
  }
}
