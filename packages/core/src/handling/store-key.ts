import { mac } from '#mac'
import { hexadecimal } from '../verify/hexadecimal.ts'

const HASHED = 'sha256:'

/** What every store can hold as it stands: PostgreSQL has no place for NUL, nor an index for long text. */
const PLAIN = /^[\x21-\x7e]{1,200}$/

/**
 * The key of a delivery in a store: the endpoint's name, a colon and the signed `id` of the body, at most 272
 * characters of printable ASCII. An id that is longer or has other characters is hashed.
 *
 * No two ids share a key: a name of an endpoint has no colon, and an id that looks hashed is hashed.
 */
export function storeKeyOf(endpoint: string, id: string): string | Promise<string> {
  if (PLAIN.test(id) && !id.startsWith(HASHED)) return `${endpoint}:${id}`
  return digestOf(id).then((digest) => `${endpoint}:${HASHED}${digest}`)
}

/** The SHA-256 of an id in hexadecimal. */
export async function digestOf(id: string): Promise<string> {
  // As JSON, since UTF-8 has one form for all halves of surrogate pairs.
  return hexadecimal(await mac.sha256(new TextEncoder().encode(JSON.stringify(id))))
}
