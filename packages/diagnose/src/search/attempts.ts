import type { BodyText } from '../forms/body-form.ts'
import { BODY_FORMS } from '../forms/body-forms.ts'
import type { Assumption } from '../forms/finding.ts'
import { type DerivedSecret, derivedSecrets, type SecretInput } from '../forms/secrets.ts'
import type { Pace } from '../text/pace.ts'
import { checksumOf, MAX_FORM } from '../text/slices.ts'
import type { Reading, Readings } from './readings.ts'
import type { Key, Signing } from './signing.ts'
import { MAC_COST } from './spend.ts'

/** What is searched besides the head of the request. */
export interface SearchInput extends SecretInput {
  readonly body: BodyText
  /** Whether other forms of the body are tried: it is small enough. */
  readonly tryBodyForms: boolean
}

/** A key, a reading and a body that may have been used, and the assumptions behind them. */
interface Attempt {
  readonly key: Key
  readonly reading: Reading
  readonly body: Uint8Array
  readonly assumptions: readonly Assumption[]
  readonly secretName: string | undefined
}

interface KeyCandidate {
  readonly key: Key
  readonly secretName: string | undefined
  readonly assumption?: Assumption
}

interface BodyCandidate {
  readonly value: Uint8Array
  readonly assumption?: Assumption
}

/** All attempts, the most likely first: as it should be, then those with one cause, then those with two. */
export async function* attempts(
  signing: Signing,
  readings: Readings,
  input: SearchInput,
  pace: Pace,
): AsyncIterable<Attempt> {
  const sent: BodyCandidate = { value: input.body.bytes }
  const secrets = input.secrets.map(([secretName, source]) => ({ source, secretName }))
  const given = await keysOf(signing, secrets, pace)
  const { asSent } = readings
  yield* combinations(given, asSent, sent)
  // What the sender may have used in place of the secrets.
  const derived = await keysOf(signing, derivedSecrets(input), pace)
  yield* combinations(derived, asSent, sent)
  await pace(READINGS_COST)
  yield* combinations(given, readings.others(), sent)
  for await (const body of otherBodies(input, false, pace)) {
    yield* combinations(given, asSent, body)
  }
  yield* combinations(given, readings.doubles(), sent)
  const pairs = readings.pairs()
  yield* combinations(derived, pairs, sent)
  for await (const body of otherBodies(input, true, pace)) {
    yield* combinations(derived, asSent, body)
    yield* combinations(given, pairs, body)
  }
}

/** What it costs to make the neighbours of a scheme. */
const READINGS_COST = 1_000_000

function* combinations(
  keys: readonly KeyCandidate[],
  readings: readonly Reading[],
  { value: body, assumption: bodyAssumption }: BodyCandidate,
): Iterable<Attempt> {
  for (const reading of readings) {
    for (const { key, secretName, assumption: keyAssumption } of keys) {
      const all = [keyAssumption, ...reading.assumptions, bodyAssumption]
      const assumptions = all.filter((one) => one !== undefined)
      yield { key, reading, body, assumptions, secretName }
    }
  }
}

type Source = Omit<DerivedSecret, 'cause'> & Partial<Pick<DerivedSecret, 'cause'>>

async function keysOf(
  signing: Signing,
  sources: Iterable<Source>,
  pace: Pace,
): Promise<readonly KeyCandidate[]> {
  const keys: KeyCandidate[] = []
  for (const { source, cause, secretName } of sources) {
    if (source.length === 0) continue
    await pace(MAC_COST)
    const key = await signing.importKey(source)
    if (key) keys.push({ key, secretName, ...(cause && { assumption: { cause } }) })
  }
  return keys
}

async function* otherBodies(
  { body, tryBodyForms }: SearchInput,
  pairs: boolean,
  pace: Pace,
): AsyncIterable<Required<BodyCandidate>> {
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
