import { mac } from '#mac'
import { type MaybeAsync, thenMaybeAsync } from '../async/maybe-async.ts'
import { ignore } from '../async/timeout.ts'
import { rejection } from '../reject/rejection.ts'
import { choicesFor, type GivenDuplicates, isIdSigned, NO_ID } from './duplicates.ts'
import { type LateKey, withLateKey } from './late-key.ts'
import type { ParsedDelivery, Scheme, SignedHead } from './scheme.ts'

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
  const fault =
    given === 'id' && !hasId
      ? NO_ID
      : given === 'body' && bodySigned === false && 'does not sign the body of a delivery'
  if (fault) {
    throw new TypeError(`\`duplicates\` should be ${choicesFor(scheme)}: ${name} ${fault}.`)
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
    return thenMaybeAsync(thenMaybeAsync(digest, whole), (hash) => `sha256-${hash}`)
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
  let key: unknown
  try {
    // The option promises the function the deliveries of the scheme.
    key = choose(delivery as never, context)
    if (typeof key === 'string' && key !== '') return key
  } catch (cause) {
    throw rejection('key_unavailable', { option: 'duplicates' }, { cause })
  }
  ignore(key)
  throw rejection('key_unavailable', { option: 'duplicates' })
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
