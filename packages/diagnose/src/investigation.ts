import type { Finding } from '@webhook-receiver/core/internal'
import { attempts, type Candidates } from './attempts.ts'
import type { NamedSecret, SecretInput } from './derived-secrets.ts'
import { finding } from './finding.ts'
import type { Pace } from './pace.ts'
import type { Search } from './search.ts'
import { SCHEME, TRUNCATED } from './signature-forms.ts'

/** What is searched besides the head of the request. */
export type SearchInput = SecretInput & Pick<Candidates<unknown, unknown>, 'body' | 'tryBodyForms'>

/** How the cause is looked for in a request of the contract, or of another scheme. */
export interface Investigation {
  /** Whether there is a signature to compare with. */
  readonly hasSignature: boolean
  /** @throws OverBudget */
  search(input: SearchInput, pace: Pace): Promise<Finding | undefined>
  /** The causes that the request itself makes likely; only its headers are known where there are no secrets. */
  possible(secrets: readonly NamedSecret[] | undefined): readonly Finding[]
  /** Where there is no such cause either. */
  readonly unknown: Finding
}

const VALID: Finding = {
  code: 'valid',
  certainty: 'certain',
  message: 'The signature is valid.',
  fix: 'The signature needs no fix.',
}

/** The finding for the first attempt that leads to the received signature. */
export async function firstMatch<Key, Message>(
  candidates: Candidates<Key, Message>,
  search: Search<Key, Message>,
  pace: Pace,
): Promise<Finding | undefined> {
  for await (const { key, message, assumptions, secretName } of attempts(candidates, pace)) {
    const match = await search.match(key, message)
    if (!match) continue
    const { form } = match
    const [first, second] = assumptions
    // Another scheme has its own message and key.
    if (form === SCHEME) return finding([{ cause: SCHEME }], 'certain', secretName)
    // Three causes at once are more likely a coincidence.
    if (form && second) continue
    const certainty = form === TRUNCATED ? 'possible' : 'certain'
    if (first) return finding([first, form ? { cause: form } : second], certainty, secretName)
    if (form) return finding([{ cause: form }], certainty, secretName)
    return secretName === undefined ? VALID : { ...VALID, secretName }
  }
  return undefined
}
