import { processWide } from '../copies/process-wide.ts'
import { isCallable } from '../validate/callable.ts'
import { type Rule, rule } from '../validate/rule.ts'
import type { Scheme, SchemeKind, SignedPart } from './scheme.ts'

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
  const { name, hasId } = scheme
  throw new TypeError(
    `\`duplicates\` is missing: ${name} ${hasId ? 'does not sign the id of a delivery' : NO_ID}, so choose ${choicesFor(scheme)}.`,
  )
}

/** What `duplicates` can be for the deliveries of a service. */
export function choicesFor({ hasId, bodySigned }: Scheme): string {
  const names = [hasId && "'id'", bodySigned !== false && "'body'"].filter(Boolean).join(', ')
  return `${names}${names && ' or '}a function of the delivery`
}

export const NO_ID = 'has no id for a delivery'

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
