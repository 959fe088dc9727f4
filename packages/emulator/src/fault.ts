import type { Scheme } from '@webhook-receiver/core'
import { oneOf, type Rule, rule } from '@webhook-receiver/core/internal'
import { type Mistake, mistakesFor, type Tampering, tamperingsFor } from './request/tampering.ts'

/** The faults that a delivery can have, on request, besides the mistakes of a sender. */
export const FAULTS = [
  /** The same request again, after there was a response. */
  'duplicate',
  /** The same request twice at the same time. */
  'concurrent-duplicate',
  /** Held back until a later delivery to the same webhook had its response. */
  'reorder',
  /** Signed, and sent later. */
  'delay',
  /** The connection ends in the middle of the body; a retry follows. */
  'drop',
  /** Before the valid request, a copy is sent whose body was changed after signing. */
  'tamper',
  /** A copy signed with another secret is sent first. */
  'wrong-secret',
  /** A copy signed long ago is sent first. */
  'stale',
  /** A copy signed in the future is sent first. */
  'future',
  /** The body arrives piece by piece. */
  'slow-body',
] as const

/** What `tamper` was called before: it still works, and is reported as it was requested. */
export const FORMER = 'alter'

type NamedFault = (typeof FAULTS)[number] | typeof FORMER

/** One of these, or the code of a mistake, such as `body_reserialized`: a copy that has it is sent first. */
export type Fault = NamedFault | Mistake

const TAMPERED: { readonly [Name in NamedFault]?: Tampering } = {
  tamper: 'body',
  [FORMER]: 'body',
  'wrong-secret': 'secret',
  stale: 'stale',
  future: 'future',
}

/** What is wrong with the copy that is sent first, which a receiver should reject; `undefined` for a fault without one. */
export function tamperingOf(fault: Fault | undefined): Tampering | undefined {
  return fault && (isNamed(fault) ? TAMPERED[fault] : fault)
}

function isNamed(fault: Fault): fault is NamedFault {
  return fault === FORMER || FAULTS.some((one) => one === fault)
}

/** The name of a fault that is `known`, or the former one of a fault, which the rule does not name. */
export function faultRule<Name extends string>(known: readonly Name[]): Rule<Name | typeof FORMER> {
  const { expected, is } = oneOf(known)
  return rule(expected, (value) => value === FORMER || is(value))
}

/** The faults that the deliveries of a service can have. */
export function faultsFor(scheme: Scheme): readonly Fault[] {
  return [...FAULTS, ...mistakesFor(scheme)]
}

/** @throws TypeError for a fault that a correct receiver of the service accepts. */
export function assertSensible(faults: readonly (Fault | 'none')[], scheme: Scheme): void {
  const sensible: readonly Tampering[] = [...tamperingsFor(scheme), ...mistakesFor(scheme)]
  const pointless = faults.find((fault) => {
    const tampering = fault === 'none' ? undefined : tamperingOf(fault)
    return tampering !== undefined && !sensible.includes(tampering)
  })
  if (pointless === undefined) return
  const unless = scheme.readTime ? ', and only a receiver with `tolerance` rejects it' : ''
  throw new TypeError(
    `The fault ${pointless} proves nothing: ${scheme.name} has no replay window${unless}.`,
  )
}

/** The fault of one delivery. */
export interface FaultPlan {
  readonly fault: Fault | undefined
  /** From 0 up to 1: how far into the body, or how much of the longest delay. */
  readonly share: number
}

/**
 * Chooses the fault of the next delivery. It always uses three random numbers, so that a fault that is requested
 * by name does not change the faults of later deliveries.
 */
export function planFault(
  random: () => number,
  { faults, faultRate }: { readonly faults: readonly Fault[]; readonly faultRate: number },
  requested: Fault | 'none' | undefined,
): FaultPlan {
  const [chance, choice, share] = [random(), random(), random()]
  if (requested !== undefined) {
    return { fault: requested === 'none' ? undefined : requested, share }
  }
  const fault = chance < faultRate ? faults[Math.floor(choice * faults.length)] : undefined
  return { fault, share }
}

/** Numbers from 0 up to 1, the same for the same seed, a whole number from 0 up to 2³² (Mulberry32). Not for secrets. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
