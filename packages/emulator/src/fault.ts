import type { Random } from './random.ts'

/** What can go wrong with a delivery, on request. */
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
  /** A copy with one character of the body changed after signing goes ahead of the genuine request. */
  'alter',
  /** A copy signed with another secret goes ahead. */
  'wrong-secret',
  /** A copy signed long ago goes ahead. */
  'stale',
  /** A copy signed in the future goes ahead. */
  'future',
  /** The receiver is restarted, by `restartReceiver`, while it has the request. */
  'restart',
  /** The body arrives piece by piece. */
  'slow-body',
] as const

export type Fault = (typeof FAULTS)[number]

/** A copy that goes ahead of the genuine request, and that a receiver has to refuse. */
export type Tampering = Extract<Fault, 'alter' | 'wrong-secret' | 'stale' | 'future'>

export function isTampering(fault: Fault | undefined): fault is Tampering {
  return fault === 'alter' || fault === 'wrong-secret' || fault === 'stale' || fault === 'future'
}

/** What one delivery is to suffer. */
export interface FaultPlan {
  readonly fault: Fault | undefined
  /** From 0 up to 1: how far into the body, or how much of the longest delay. */
  readonly share: number
}

/**
 * Draws what happens to the next delivery. Takes the same count of numbers whatever it draws, so that
 * a fault that is asked for by name does not shift those of the deliveries behind it.
 */
export function planFault(
  random: Random,
  { faults, faultRate }: { readonly faults: readonly Fault[]; readonly faultRate: number },
  asked: Fault | 'none' | undefined,
): FaultPlan {
  const [luck, choice, share] = [random(), random(), random()]
  if (asked !== undefined) return { fault: asked === 'none' ? undefined : asked, share }
  const drawn = luck < faultRate ? faults[Math.floor(choice * faults.length)] : undefined
  return { fault: drawn, share }
}
