import type { Cause } from './finding.ts'
import {
  API_KEY,
  type KeySource,
  OTHER_SECRET,
  SECRET_FORMS,
  type SecretForm,
} from './secret-forms.ts'

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

export function* derivedSecrets(
  { secrets, others, apiKey }: SecretInput,
  forms: readonly SecretForm[] = SECRET_FORMS,
): Iterable<DerivedSecret> {
  for (const [secretName, source] of others) yield { source, cause: OTHER_SECRET, secretName }
  if (apiKey) {
    yield { source: apiKey, cause: API_KEY }
    yield { source: `Bearer ${apiKey}`, cause: API_KEY }
  }
  for (const cause of forms) {
    for (const [secretName, secret] of secrets) {
      for (const source of cause.variants(secret)) {
        if (source?.length) yield { source, cause, secretName }
      }
    }
  }
}
