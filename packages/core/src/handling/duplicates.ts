import { mac } from '#mac'
import { type Rule, rule } from '../validate/rule.ts'
import { hexadecimal } from '../verify/hexadecimal.ts'
import type { ParsedDelivery, Scheme, SchemeKind } from '../verify/scheme.ts'

/** Which deliveries are the same for the store: `'id'` only where the service has one. */
export type Duplicates<Kind extends SchemeKind, Handled> =
  | (Kind['id'] extends false ? never : 'id')
  | 'body'
  | ((delivery: Handled) => string)

/** With a store, `duplicates` is required where the signature does not cover the id. */
export type DuplicatesRequired<Kind extends SchemeKind> = Kind['idSigned'] extends true
  ? unknown
  : { readonly duplicates: unknown } | { readonly store?: undefined }

/** What a delivery is remembered by. `rawBody` is the body as received, where it is known. */
export type KeyOf = (
  delivery: ParsedDelivery,
  rawBody: Uint8Array | undefined,
) => string | Promise<string>

type Given = 'id' | 'body' | ((delivery: never) => unknown) | undefined

export const DUPLICATES: Rule<Given> = rule(
  "'id', 'body' or a function that returns a string for a delivery",
  (value) =>
    value === undefined || value === 'id' || value === 'body' || typeof value === 'function',
)

/**
 * The function behind the option `duplicates`.
 *
 * @throws TypeError if the option is missing, or `'id'` and the service has none.
 */
export function keyedBy(
  given: Given,
  { name, hasId, unsigned = [] }: Scheme,
  hasStore: boolean,
): KeyOf {
  const isSigned = hasId && !unsigned.includes('id')
  if (given === undefined && !isSigned && hasStore) {
    throw new TypeError(
      `\`duplicates\` is missing: ${name} ${hasId ? "does not sign the id of a delivery, so choose 'id', 'body'" : "has no id for a delivery, so choose 'body'"} or a function of the delivery.`,
    )
  }
  if (given === 'id' && !hasId) {
    throw new TypeError(
      `\`duplicates\` should be 'body' or a function: ${name} has no id for a delivery.`,
    )
  }
  if (given === 'body') return (_, rawBody) => bodyKey(rawBody)
  // The option promises the function the deliveries of the scheme.
  if (typeof given === 'function') return (delivery) => checked(given(delivery as never))
  return ({ id }) => checked(id)
}

/** @throws TypeError, so that the status is 500: nothing is acknowledged that cannot be told apart. */
function checked(key: unknown): string {
  if (typeof key === 'string' && key !== '') return key
  throw new TypeError('The delivery has no id, or `duplicates` returned no string.')
}

async function bodyKey(rawBody: Uint8Array | undefined): Promise<string> {
  if (!rawBody) throw new TypeError("`duplicates: 'body'` needs the option `rawBody`.")
  return `body-${hexadecimal(await mac.sha256(Uint8Array.from(rawBody)))}`
}
