import type { Scheme } from '@webhook-receiver/core'
import { type KeySource, SECRET_MISTAKES } from '@webhook-receiver/schemes/neighbours'
import type { Cause } from './finding.ts'

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
  for (const cause of SECRET_MISTAKES) {
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

/** How the keys for calls to a service begin. Some services sign with such a key: what their secret begins with is none of them. */
export function isApiKey(secret: string, scheme: Scheme): boolean {
  const { begins } = scheme.secret ?? {}
  if (begins && secret.startsWith(begins)) return false
  return /^(?:[prs]k_|gh[opsu]_|github_pat_|xox[a-z]-|xapp-|pdl_(?:live|sdbx)_api|lin_api_|shp(?:at|pa)_)/.test(
    secret,
  )
}
