import { BODY_FORMS } from './body-forms.ts'
import type { BodyText } from './body-variant.ts'
import { checksumOf } from './checksum.ts'
import type { Assumption } from './finding.ts'
import type { Pace } from './pace.ts'
import { MAX_FORM } from './slices.ts'

/** A key and a message that may have been used, and the assumptions behind them. */
export interface Attempt<Key, Message> {
  readonly key: Key
  readonly message: Message
  readonly assumptions: readonly [] | readonly [Assumption] | readonly [Assumption, Assumption]
  readonly secretName: string | undefined
}

export interface KeyCandidate<Key> {
  readonly key: Key
  readonly secretName: string | undefined
  readonly assumption?: Assumption
}

export interface Part<Value> {
  readonly value: Value
  readonly assumption?: Assumption
}

/** What attempts are made from. A scheme says what its keys and messages are. */
export interface Candidates<Key, Message> {
  readonly given: readonly KeyCandidate<Key>[]
  /** Keys that the sender may have used in place of those that were given. */
  readonly derived: readonly KeyCandidate<Key>[]
  readonly body: BodyText
  /** Whether other forms of the body are tried: it is small enough. */
  readonly tryBodyForms: boolean
  /** The messages for a body as they should be. */
  plain(body: Uint8Array): readonly Part<Message>[]
  /** Messages in other forms; with `pairs` only the common ones, which are tried together with another cause. */
  others(body: Uint8Array, pairs: boolean): readonly Part<Message>[]
}

/** All attempts, the most likely first: as it should be, then those with one cause, then those with two. */
export async function* attempts<Key, Message>(
  candidates: Candidates<Key, Message>,
  pace: Pace,
): AsyncIterable<Attempt<Key, Message>> {
  const { given, derived, body } = candidates
  const asSent = candidates.plain(body.bytes)
  yield* combinations(given, asSent)
  yield* combinations(derived, asSent)
  yield* combinations(given, candidates.others(body.bytes, false))
  for await (const form of otherBodies(candidates, false, pace)) {
    yield* combinations(given, candidates.plain(form.value), form.assumption)
  }
  yield* combinations(derived, candidates.others(body.bytes, true))
  for await (const form of otherBodies(candidates, true, pace)) {
    yield* combinations(derived, candidates.plain(form.value), form.assumption)
    yield* combinations(given, candidates.others(form.value, true), form.assumption)
  }
}

function* combinations<Key, Message>(
  keys: readonly KeyCandidate<Key>[],
  messages: readonly Part<Message>[],
  bodyAssumption?: Assumption,
): Iterable<Attempt<Key, Message>> {
  for (const { value: message, assumption } of messages) {
    for (const { key, secretName, assumption: keyAssumption } of keys) {
      const [first, second] = [keyAssumption, assumption, bodyAssumption].filter(
        (one) => one !== undefined,
      )
      const assumptions = first
        ? second
          ? ([first, second] as const)
          : ([first] as const)
        : ([] as const)
      yield { key, message, assumptions, secretName }
    }
  }
}

async function* otherBodies(
  { body, tryBodyForms }: Pick<Candidates<unknown, unknown>, 'body' | 'tryBodyForms'>,
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
