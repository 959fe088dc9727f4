import type { BodyText } from '../forms/body-form.ts'
import { BODY_FORMS } from '../forms/body-forms.ts'
import type { Assumption } from '../forms/finding.ts'
import { type DerivedSecret, derivedSecrets, type SecretInput } from '../forms/secret-forms.ts'
import type { Pace } from '../text/pace.ts'
import { checksumOf, MAX_FORM } from '../text/slices.ts'
import type { Part, Signing } from './signing.ts'
import { MAC_COST } from './spend.ts'

/** What is searched besides the head of the request. */
export interface SearchInput extends SecretInput {
  readonly body: BodyText
  /** Whether other forms of the body are tried: it is small enough. */
  readonly tryBodyForms: boolean
}

/** A key and a message that may have been used, and the assumptions behind them. */
interface Attempt<Key, Message> {
  readonly key: Key
  readonly message: Message
  readonly assumptions: readonly Assumption[]
  readonly secretName: string | undefined
}

interface KeyCandidate<Key> {
  readonly key: Key
  readonly secretName: string | undefined
  readonly assumption?: Assumption
}

/** All attempts, the most likely first: as it should be, then those with one cause, then those with two. */
export async function* attempts<Key, Message>(
  signing: Signing<Key, Message>,
  input: SearchInput,
  pace: Pace,
): AsyncIterable<Attempt<Key, Message>> {
  const { bytes } = input.body
  const secrets = input.secrets.map(([secretName, source]) => ({ source, secretName }))
  const given = await keysOf(signing, secrets, pace)
  const asSent = signing.plain(bytes)
  yield* combinations(given, asSent)
  // What the sender may have used in place of the secrets.
  const derived = await keysOf(signing, derivedSecrets(input), pace)
  yield* combinations(derived, asSent)
  yield* combinations(given, signing.others(bytes, false))
  for await (const form of otherBodies(input, false, pace)) {
    yield* combinations(given, signing.plain(form.value), form.assumption)
  }
  yield* combinations(derived, signing.others(bytes, true))
  for await (const form of otherBodies(input, true, pace)) {
    yield* combinations(derived, signing.plain(form.value), form.assumption)
    yield* combinations(given, signing.others(form.value, true), form.assumption)
  }
}

function* combinations<Key, Message>(
  keys: readonly KeyCandidate<Key>[],
  messages: readonly Part<Message>[],
  bodyAssumption?: Assumption,
): Iterable<Attempt<Key, Message>> {
  for (const { value: message, assumption } of messages) {
    for (const { key, secretName, assumption: keyAssumption } of keys) {
      const all = [keyAssumption, assumption, bodyAssumption]
      yield { key, message, assumptions: all.filter((one) => one !== undefined), secretName }
    }
  }
}

type Source = Omit<DerivedSecret, 'cause'> & Partial<Pick<DerivedSecret, 'cause'>>

async function keysOf<Key>(
  { importKey }: Pick<Signing<Key, unknown>, 'importKey'>,
  sources: Iterable<Source>,
  pace: Pace,
): Promise<readonly KeyCandidate<Key>[]> {
  const keys: KeyCandidate<Key>[] = []
  for (const { source, cause, secretName } of sources) {
    if (source.length === 0) continue
    await pace(MAC_COST)
    const key = await importKey(source)
    if (key !== undefined) keys.push({ key, secretName, ...(cause && { assumption: { cause } }) })
  }
  return keys
}

async function* otherBodies(
  { body, tryBodyForms }: SearchInput,
  pairs: boolean,
  pace: Pace,
): AsyncIterable<Part<Uint8Array> & { readonly assumption: Assumption }> {
  if (!tryBodyForms) return
  const seen = new Set([await checksumOf(body.bytes, pace)])
  for (const cause of BODY_FORMS) {
    let left = pairs ? (cause.pairs ?? 0) : Number.POSITIVE_INFINITY
    if (left === 0) continue
    for await (const { name: form, bytes } of cause.variants(body, pace)) {
      if (!bytes || bytes.length > MAX_FORM) continue
      const checksum = await checksumOf(bytes, pace)
      if (seen.has(checksum)) continue
      seen.add(checksum)
      yield { value: bytes, assumption: { cause, form } }
      if (--left <= 0) break
    }
  }
}
