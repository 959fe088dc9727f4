import { mac } from '#mac'
import { type MaybeAsync, thenMaybeAsync } from '../async/maybe-async.ts'
import { checkValue } from '../validate/check-options.ts'
import { type Rule, stringRule } from '../validate/rule.ts'
import type { Verification } from '../verification.ts'

/** What tells a delivery from all others. A key alone is unique at its endpoint only. */
export type DeliveryKey = Pick<Verification, 'endpoint' | 'key'>

const KEY: Rule<string> = stringRule('the `verification.key` of a delivery', /./s)

const VERIFIED_ENDPOINT: Rule<string> = stringRule(
  "the `verification.endpoint` of a delivery, such as 'billing', or 'stripe:acme' for a tenant",
  /^[\w.-]{1,64}(?::[\w.-]{1,200})?$/,
)

/** @throws TypeError for anything but a `verification`, or its `endpoint` and `key`. */
export function checkDeliveryKey(given: unknown): DeliveryKey {
  const { endpoint, key } = Object(given)
  return {
    endpoint: checkValue('endpoint', endpoint, VERIFIED_ENDPOINT),
    key: checkValue('key', key, KEY),
  }
}

const HASHED = 'sha256:'

/** What every store can hold as it stands: PostgreSQL has no place for NUL, nor an index for long text. */
const PLAIN = /^[\x21-\x7e]{1,200}$/

/**
 * What a store keeps of a delivery: its endpoint, a colon and its key, at most 466 characters of printable ASCII. A key that is longer
 * or has other characters is hashed.
 *
 * No two deliveries share one: a name has neither colon nor slash, a slash is in front of the name of a tenant, and a key that looks
 * hashed is hashed.
 */
export function storeKeyOf({ endpoint, key }: DeliveryKey): MaybeAsync<string> {
  const at = endpoint.replaceAll(':', '/')
  if (PLAIN.test(key) && !key.startsWith(HASHED)) return `${at}:${key}`
  return thenMaybeAsync(digestOf(key), (digest) => `${at}:${HASHED}${digest}`)
}

/** The SHA-256 of a value in hexadecimal. It is written as JSON, since UTF-8 has one form for all halves of surrogate pairs. */
export function digestOf(value: unknown): MaybeAsync<string> {
  return mac.sha256Hex(JSON.stringify(value))
}
