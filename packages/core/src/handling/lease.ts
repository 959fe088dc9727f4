import { after, asking, within } from '../async/timeout.ts'
import { leaseLost } from './unavailable.ts'

export interface LeaseTerms {
  /** Extends the lease in the store. */
  extend(): Promise<boolean>
  /** In seconds. */
  readonly lease: number
  /** How long an answer of the store is waited for, in seconds. */
  readonly storeTimeout: number
  readonly now: () => number
  /** When the lease was asked for: it ends no earlier than its length from then. */
  readonly since: number
}

export interface HeldLease {
  /** Aborted when the lease was lost, with a WebhookError `lease_lost`. */
  readonly signal: AbortSignal
  /** How the lease was lost, if it was. */
  readonly lost: string | undefined
  /** When the lease runs out, as far as is known here, in milliseconds of the clock. */
  readonly end: number
  /** Lets the lease run out by itself; what the store still answers is ignored. */
  stop(): void
}

/**
 * Extends a lease every third of its length until it is stopped or lost. It is lost when the store says so, or
 * when the store could not be asked until its end.
 */
export function holdLease({ extend, lease, storeTimeout, now, since }: LeaseTerms): HeldLease {
  const controller = new AbortController()
  const third = lease / 3
  let end = since + lease * 1000
  let lost: string | undefined
  let stopped = false
  let cancel = after(third, renew)

  function renew(): void {
    const asked = now()
    within(Math.min(storeTimeout, third), asking(extend), () => undefined).then(
      (extended) => {
        if (stopped) return
        if (extended !== true) return lose('the store says that another has it, or that it ran out')
        end = asked + lease * 1000
        cancel = after(third, renew)
      },
      () => {
        if (stopped) return
        if (now() >= end) return lose('the store could not be asked to extend it until it ran out')
        cancel = after(Math.min(third, (end - now()) / 1000), renew)
      },
    )
  }

  function lose(how: string): void {
    lost = how
    controller.abort(leaseLost(how, lease))
  }

  return {
    signal: controller.signal,
    get lost() {
      return lost
    },
    get end() {
      return end
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}
