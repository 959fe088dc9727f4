import type { Random } from './random.ts'

/** The faults that a delivery can have, on request. */
export const FAULTS = [
  /** The same request again, after it was answered. */
  'duplicate',
  /** The same request twice at the same time. */
  'concurrent-duplicate',
  /** Held back until a later delivery to the same webhook has been answered. */
  'reorder',
  /** Signed, and sent later. */
  'delay',
  /** The connection ends in the middle of the body; a retry follows. */
  'drop',
  /** Before the genuine request, a copy is sent whose body was changed after signing. */
  'alter',
  /** A copy signed with another secret is sent first. */
  'wrong-secret',
  /** A copy signed long ago is sent first. */
  'stale',
  /** A copy signed in the future is sent first. */
  'future',
  /** The receiver is restarted, by `restartReceiver`, while it has the request. */
  'restart',
  /** The body arrives piece by piece. */
  'slow-body',
] as const

export type Fault = (typeof FAULTS)[number]

/** A fault that sends a copy first, which a receiver should refuse. */
export type Tampering = Extract<Fault, 'alter' | 'wrong-secret' | 'stale' | 'future'>

export function isTampering(fault: Fault | undefined): fault is Tampering {
  return fault === 'alter' || fault === 'wrong-secret' || fault === 'stale' || fault === 'future'
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
  random: Random,
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
