import {
  isPrivateKey,
  type KeySource,
  type SchemeValue,
  SECRET_MISTAKES,
  SIGNING_MISTAKES,
  sentenceOf,
} from '@webhook-receiver/schemes/neighbours'
import type { ProbeClient } from '../client.ts'
import type { Variant } from '../request.ts'
import { isAccepted } from '../response.ts'
import { neighboursOf } from './mistakes.ts'
import { IN_OTHER_HEADERS } from './signature.ts'

/** The mistake of a receiver that rejects what the service signs. */
export interface AcceptedMistake {
  readonly code: string
  /** Continues a sentence that begins with "The signature". */
  readonly mistake: string
  readonly fix: string
}

interface Tried extends AcceptedMistake {
  readonly variants: readonly Variant[]
}

/** The most neighbours of one mistake that are tried. */
const MOST = 40

/** Sends deliveries that are signed by each neighbour of what the service does, and says which of them the receiver accepts. */
export async function acceptedMistake(
  client: ProbeClient,
  value: SchemeValue,
  secret: string,
  signal: AbortSignal | undefined,
): Promise<AcceptedMistake | undefined> {
  for (const { variants, ...found } of triedFor(value, secret)) {
    for (const variant of variants) {
      if (signal?.aborted) return undefined
      const requests = await client.makeAll([variant])
      // A mistake has as many neighbours as the value allows.
      if (requests.length === 0) break
      if ((await client.sendSeparately(requests)).some(isAccepted)) return found
    }
  }
  return undefined
}

function* triedFor(value: SchemeValue, secret: string): Iterable<Tried> {
  const fix = 'Verify what the service signs.'
  const ofSecrets = isPrivateKey(secret) ? [] : SECRET_MISTAKES
  for (const { code, what, variants, fix: ofSecret } of ofSecrets) {
    const sources = variants(secret).filter((source) => source !== undefined)
    yield { code, mistake: what, fix: ofSecret, variants: sources.map(keyed) }
  }
  for (const signing of SIGNING_MISTAKES) {
    const mistake = sentenceOf(signing.what, value).replace('{form}', 'another form')
    yield { code: signing.code, mistake, fix, variants: neighboursOf(signing, MOST) }
  }
  const mistake = 'is in a header of another service'
  yield { code: 'header_renamed', mistake, fix, variants: IN_OTHER_HEADERS }
}

function keyed(source: KeySource): Variant {
  return typeof source === 'string' ? { secret: source } : { key: source }
}
