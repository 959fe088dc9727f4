import { mac } from '#mac'
import { type Rule, stringRule } from '../validate/rule.ts'
import { hexadecimal } from '../verify/hexadecimal.ts'

/** What `verification.key` is. */
export const KEY: Rule<string> = stringRule(
  'the key of a delivery: its `verification.key`, or its signed id',
  /./s,
)

const HASHED = 'sha256:'

/** What every store can hold as it stands: PostgreSQL has no place for NUL, nor an index for long text. */
const PLAIN = /^[\x21-\x7e]{1,200}$/

/**
 * What a store keeps of a delivery: the endpoint's name, a colon and the key of the delivery, at most 272 characters of printable
 * ASCII. A key that is longer or has other characters is hashed.
 *
 * No two keys share one: a name of an endpoint has no colon, and a key that looks hashed is hashed.
 */
export function storeKeyOf(endpoint: string, key: string): string | Promise<string> {
  if (PLAIN.test(key) && !key.startsWith(HASHED)) return `${endpoint}:${key}`
  return digestOf(key).then((digest) => `${endpoint}:${HASHED}${digest}`)
}

/** The SHA-256 of a key in hexadecimal. */
export async function digestOf(key: string): Promise<string> {
  // As JSON, since UTF-8 has one form for all halves of surrogate pairs.
  return hexadecimal(await mac.sha256(new TextEncoder().encode(JSON.stringify(key))))
}
