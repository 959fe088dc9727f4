import { misfitOf } from '../copies/interfaces.ts'
import { type GivenDuplicates, requireDuplicates } from '../verify/duplicates.ts'
import type { Scheme } from '../verify/scheme.ts'

/**
 * What a handler has that keeps deliveries for later. Registered, because the inbox may have loaded another copy of core. It brings `decide`,
 * so that a bundle without an inbox has none of it.
 */
const KEEPING = Symbol.for('@webhook-receiver/core.keeping')

interface Keeping {
  /** The `duplicates` of whoever keeps the deliveries, for a receiver that has none. */
  readonly duplicates: GivenDuplicates
  readonly decide: typeof decide
}

/** Marks a handler that keeps each delivery once. Like a store, it needs to know which deliveries are the same. */
export function keeping<Work extends object>(work: Work, duplicates: GivenDuplicates): Work {
  const kept: Keeping = { duplicates, decide }
  return Object.defineProperty(work, KEEPING, { value: kept })
}

/**
 * The `duplicates` of a receiver with these handlers: its own, or those of a handler that keeps the deliveries.
 *
 * @throws TypeError if a handler keeps them, and which are the same is not said, or said in two ways; and for the handler of an inbox of
 * another release that does not fit.
 */
export function duplicatesFor(
  handlers: unknown,
  scheme: Scheme,
  own: GivenDuplicates,
): GivenDuplicates {
  const works: readonly unknown[] = [handlers, ...Object.values(Object(handlers))]
  const [misfit] = works.flatMap((work) => misfitOf('inbox', work) ?? [])
  if (misfit !== undefined) throw new TypeError(`The handler ${misfit}`)
  // Nobody else knows the symbol.
  const found = works.map((work) => Reflect.get(Object(work), KEEPING) as Keeping | undefined)
  const kept = found.filter((one) => one !== undefined)
  return kept[0] ? kept[0].decide(kept, scheme, own) : own
}

function decide(kept: readonly Keeping[], scheme: Scheme, own: GivenDuplicates): GivenDuplicates {
  const duplicates = own ?? kept[0]?.duplicates
  requireDuplicates(scheme, duplicates)
  if (own !== undefined || kept.every((one) => one.duplicates === duplicates)) return duplicates
  throw new TypeError(
    '`duplicates` is missing: the handlers are those of several inboxes, which have different ones. Pass it to the webhookHandler.',
  )
}
