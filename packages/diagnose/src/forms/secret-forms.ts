import { hexadecimal } from '@webhook-receiver/core/internal'
import { fromBase64, fromHexadecimal, toBase64, utf8 } from '../text/encodings.ts'
import type { Cause } from './finding.ts'

export type KeySource = string | Uint8Array<ArrayBuffer>

/** A way in which the sender's key differs from the receiver's secret. */
export interface SecretForm extends Cause {
  variants(secret: string): readonly (KeySource | undefined)[]
}

const PREFIX = 'whsec_'
const withoutPrefix = (secret: string) => secret.replace(/^(?:whsec_)+/, '')

export const SECRET_FORMS: readonly SecretForm[] = [
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
    variants: (secret) => [withoutPrefix(secret), secret].flatMap(decodedForms),
  },
  {
    code: 'secret_not_decoded',
    what: 'matches the text of the secret, which was not decoded',
    fix: 'The sender uses the text of the secret as the key: pass its prefix and that text in base64. Or make the sender decode it.',
    variants: (secret) => [utf8(secret), utf8(withoutPrefix(secret))],
  },
  {
    code: 'secret_encoded',
    what: 'matches the secret encoded once more, in base64, hexadecimal or for a URL',
    fix: 'Use the secret as the registration returned it, here and at the sender, and encode nothing.',
    variants: (secret) => [
      ...[secret, withoutPrefix(secret)].flatMap((text) => [
        toBase64(utf8(text)),
        hexadecimal(utf8(text)),
      ]),
      encodeURIComponent(secret),
      urlDecoded(secret),
    ],
  },
]

export type NamedSecret = readonly [name: string | undefined, secret: string]

export interface SecretInput {
  readonly secrets: readonly NamedSecret[]
  readonly others: readonly (readonly [name: string, secret: string])[]
  readonly apiKey: string | undefined
}

/** What the sender may have used in place of the secrets. */
export interface DerivedSecret {
  readonly source: KeySource
  readonly cause: Cause
  readonly secretName?: string | undefined
}

export function* derivedSecrets({ secrets, others, apiKey }: SecretInput): Iterable<DerivedSecret> {
  for (const [secretName, source] of others) yield { source, cause: OTHER_SECRET, secretName }
  if (apiKey) {
    yield { source: apiKey, cause: API_KEY }
    yield { source: `Bearer ${apiKey}`, cause: API_KEY }
  }
  for (const cause of SECRET_FORMS) {
    for (const [secretName, secret] of secrets) {
      for (const source of cause.variants(secret)) {
        if (source !== undefined) yield { source, cause, secretName }
      }
    }
  }
}

/** The causes where the key is another string. */
export const OTHER_SECRET: Cause = {
  code: 'secret_other',
  what: 'matches the secret of another webhook',
  fix: 'Give the receiver at this URL the secret of the webhook that is registered for it.',
}
export const API_KEY: Cause = {
  code: 'secret_api_key',
  what: 'matches the API key in place of the secret',
  fix: 'Sign with the secret that the registration returned; the API key is for calls to the service.',
}

/** How the keys for calls to a service begin, where its secrets for webhooks begin in another way. */
export function isApiKey(secret: string): boolean {
  return /^(?:[prs]k_|gh[opsu]_|github_pat_|xox[a-z]-|xapp-|pdl_(?:live|sdbx)_api|lin_api_|shp(?:at|pa)_)/.test(
    secret,
  )
}

function decodedForms(text: string): readonly (KeySource | undefined)[] {
  return [fromBase64(text), fromHexadecimal(text)]
}

function urlDecoded(secret: string): string | undefined {
  try {
    return decodeURIComponent(secret)
  } catch {
    return undefined
  }
}
