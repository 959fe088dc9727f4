import { mac } from '#mac'
import { type MaybeAsync, thenMaybeAsync } from '../async/maybe-async.ts'
import { processWide } from '../copies/process-wide.ts'
import { rejection } from '../reject/rejection.ts'
import { isCallable } from '../validate/callable.ts'
import { type Rule, rule } from '../validate/rule.ts'
import { type LateKey, withLateKey } from './late-key.ts'
import type { ParsedDelivery, Scheme, SchemeKind, SignedHead, SignedPart } from './scheme.ts'

/** Which deliveries are the same: `'id'` only where the service has one. */
export type Duplicates<Kind extends SchemeKind, Handled> =
  | (Kind['id'] extends false ? never : 'id')
  | (Kind['bodySigned'] extends false ? never : 'body')
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
  (value) => value === undefined || value === 'id' || value === 'body' || isCallable(value),
)

/** The key of a delivery, made of what was verified, or what makes it when it is first read. */
type KeyOf = (delivery: ParsedDelivery, head: SignedHead, body: Uint8Array) => MaybeAsync<LateKey>

/**
 * Makes the function behind `verification.key`. A signed id is the key alone. Otherwise the key holds everything unsigned that picks
 * the work, and a hash of what was signed. So a captured body under the id or the event of another delivery has a different key, and
 * cannot mark that delivery as done.
 *
 * Few read the key of a request, so a hash is only made for them. Where it takes a promise, it is made at once: a property cannot wait.
 *
 * @throws TypeError for `'id'` where the service has none, and `'body'` where it does not sign that.
 */
export function keyReader(given: GivenDuplicates, scheme: Scheme): KeyOf {
  const { name, hasId, idIsOptional, hasEvent, bodySigned, unsigned = [] } = scheme
  if (given === 'id' && !hasId) {
    throw new TypeError(
      `\`duplicates\` should be 'body' or a function: ${name} has no id for a delivery.`,
    )
  }
  if (given === 'body' && bodySigned === false) {
    throw new TypeError(
      `\`duplicates\` should be ${hasId ? "'id' or " : ''}a function: ${name} does not sign the body, so by what is signed all deliveries are the same.`,
    )
  }
  const withId = given !== 'body' && hasId
  const withEvent = hasEvent && unsigned.includes('event')
  const bodyOf: NonNullable<Scheme['identity']> = (_, body) => ['', body]
  const { identity = bodyOf } = scheme

  function hashed(
    id: string | undefined,
    event: string | undefined,
    head: SignedHead,
    body: Uint8Array,
  ): MaybeAsync<string> {
    const [text, content] = identity(head, body)
    const whole = (digest: string) => {
      const parts = [withId && id, withEvent && event, text, digest]
      return mac.sha256Hex(JSON.stringify(parts))
    }
    const digest = mac.sha256Hex(content)
    const made = digest instanceof Promise ? digest.then(whole) : whole(digest)
    return thenMaybeAsync(made, (hash) => `sha256-${hash}`)
  }

  const lately: KeyOf = ({ id, event }, head, body) => {
    // The application may write into the delivery, but what it is known by stays.
    if (!mac.isSync) return hashed(id, event, head, body)
    const { length } = body
    return () => {
      if (body.length !== length) throw new TypeError(MOVED)
      return hashed(id, event, head, body) as string
    }
  }

  const keyOf: KeyOf =
    withId && isIdTheKey(scheme)
      ? (delivery, head, body) => delivery.id || (idIsOptional ? lately(delivery, head, body) : '')
      : lately
  if (typeof given !== 'function') return keyOf
  return (delivery, head, body) =>
    thenMaybeAsync(keyOf(delivery, head, body), (key) => {
      const context = typeof key === 'string' ? { key } : withLateKey({}, key)
      return chosenKey(given, delivery, context)
    })
}

const MOVED =
  'verification.key has to be read before the memory of verification.rawBody is given away.'

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

/**
 * Asks whoever keeps deliveries which are the same, where the signature does not cover the id.
 *
 * @throws TypeError that says what there is to choose.
 */
export function requireDuplicates(scheme: Scheme, given: GivenDuplicates): void {
  if (given !== undefined || isIdSigned(scheme)) return
  const { name, hasId, bodySigned } = scheme
  const body = bodySigned === false ? [] : ["'body'"]
  const choices = [...(hasId ? ["'id'"] : []), ...body].join(', ')
  throw new TypeError(
    `\`duplicates\` is missing: ${name} ${hasId ? 'does not sign the id of a delivery' : 'has no id for a delivery'}, so choose ${choices} or a function of the delivery.`,
  )
}

/**
 * By what a receiver says is not signed: those whose deliveries have the unsigned id in their key, because nobody has chosen what
 * `duplicates` are. Every delivery of a receiver has the same list.
 */
const undecided = processWide('undecided', () => new WeakSet<readonly SignedPart[]>())

/** The list of what is not signed, for a receiver with these `duplicates`. */
export function decidedBy(
  given: GivenDuplicates,
  scheme: Scheme,
  unsigned: readonly SignedPart[],
): readonly SignedPart[] {
  if (given !== undefined || !scheme.hasId || isIdSigned(scheme)) return unsigned
  const own = [...unsigned]
  undecided.add(own)
  return own
}

/**
 * Compares the key of a delivery with the `duplicates` of whoever keeps it.
 *
 * @throws TypeError if the receiver took the unsigned id, which nobody has chosen.
 */
export function requireDecided(
  { unsigned }: { readonly unsigned?: readonly SignedPart[] | undefined },
  given: GivenDuplicates,
): void {
  if (given === 'id' || !unsigned || !undecided.has(unsigned)) return
  throw new TypeError(
    "`duplicates` is missing where the delivery was verified: its id is not signed, so choose 'id', 'body' or a function there.",
  )
}

/** Whether a key is made with what the headers say, maybe only after the handler. */
export function readsLately(given: GivenDuplicates, scheme: Scheme): boolean {
  if (scheme.identity === undefined || scheme.keepsHeaders) return false
  return given === 'body' || !isIdTheKey(scheme)
}

/** Whether the id alone tells deliveries apart: it is signed, and no unsigned event picks the work. */
export function isIdTheKey(scheme: Scheme): boolean {
  const { hasEvent, unsigned = [] } = scheme
  return isIdSigned(scheme) && !(hasEvent && unsigned.includes('event'))
}
