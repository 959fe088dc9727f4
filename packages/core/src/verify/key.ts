import { mac } from '#mac'
import { rejection } from '../reject/rejection.ts'
import { type Rule, rule } from '../validate/rule.ts'
import { hexadecimal } from './hexadecimal.ts'
import type { ParsedDelivery, Scheme, SchemeKind, SignedHead } from './scheme.ts'

/** Which deliveries are the same: `'id'` only where the service has one. */
export type Duplicates<Kind extends SchemeKind, Handled> =
  | (Kind['id'] extends false ? never : 'id')
  | 'body'
  | ((delivery: Handled, context: { readonly key: string }) => string)

/** With a store, `duplicates` is required where the signature does not cover the id. */
export type DuplicatesRequired<Kind extends SchemeKind> = Kind['idSigned'] extends true
  ? unknown
  : { readonly duplicates: unknown } | { readonly store?: undefined }

export type GivenDuplicates =
  | 'id'
  | 'body'
  | ((delivery: never, context: { readonly key: string }) => unknown)
  | undefined

export const DUPLICATES: Rule<GivenDuplicates> = rule(
  "'id', 'body' or a function that returns a string for a delivery",
  (value) =>
    value === undefined || value === 'id' || value === 'body' || typeof value === 'function',
)

/** The key of a delivery, made of what was verified. */
type KeyOf = (
  delivery: ParsedDelivery,
  head: SignedHead,
  body: Uint8Array,
) => string | Promise<string>

/**
 * Makes the function behind `verification.key`. A signed id is the key alone. Otherwise the key holds everything unsigned that picks
 * the work, and a hash of what was signed. So a captured body under the id or the event of another delivery has a different key, and
 * cannot mark that delivery as done.
 *
 * @throws TypeError for `'id'` where the service has none.
 */
export function keyReader(given: GivenDuplicates, scheme: Scheme): KeyOf {
  const { name, hasId, hasEvent, unsigned = [] } = scheme
  if (given === 'id' && !hasId) {
    throw new TypeError(
      `\`duplicates\` should be 'body' or a function: ${name} has no id for a delivery.`,
    )
  }
  const withId = given !== 'body' && hasId
  const withEvent = hasEvent && unsigned.includes('event')
  const bodyOf: NonNullable<Scheme['identity']> = (_, body) => ['', body]
  const { identity = bodyOf } = scheme

  async function hashed(
    { id, event }: ParsedDelivery,
    head: SignedHead,
    body: Uint8Array,
  ): Promise<string> {
    const [text, content] = identity(head, body)
    const digest = await sha256(content)
    const parts = [withId && id, withEvent && event, text, digest]
    return `sha256-${await sha256(new TextEncoder().encode(JSON.stringify(parts)))}`
  }

  const keyOf: KeyOf = withId && isIdTheKey(scheme) ? ({ id = '' }) => id : hashed
  if (typeof given !== 'function') return keyOf
  return async (delivery, head, body) => {
    const key = await keyOf(delivery, head, body)
    return chosenKey(given, delivery, { key })
  }
}

/**
 * The key that a function of the application chooses.
 *
 * @throws WebhookError `key_unavailable` (500): nothing is acknowledged that cannot be told apart.
 */
export function chosenKey(
  choose: Extract<GivenDuplicates, (...args: never) => unknown>,
  delivery: ParsedDelivery,
  context: { readonly key: string },
): string {
  try {
    // The option promises the function the deliveries of the scheme.
    const key = choose(delivery as never, context)
    if (typeof key === 'string' && key !== '') return key
  } catch (cause) {
    throw rejection('key_unavailable', { option: 'duplicates' }, { cause })
  }
  throw rejection('key_unavailable', { option: 'duplicates' })
}

export function isIdSigned({ hasId, unsigned = [] }: Scheme): boolean {
  return hasId && !unsigned.includes('id')
}

/** Whether the id alone tells deliveries apart: it is signed, and no unsigned event picks the work. */
export function isIdTheKey(scheme: Scheme): boolean {
  const { hasEvent, unsigned = [] } = scheme
  return isIdSigned(scheme) && !(hasEvent && unsigned.includes('event'))
}

async function sha256(bytes: Uint8Array): Promise<string> {
  // No adapter reads into shared memory.
  return hexadecimal(await mac.sha256(bytes as Uint8Array<ArrayBuffer>))
}
