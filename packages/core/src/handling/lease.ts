import { attempt, startTimer, withTimeout } from '../async/timeout.ts'
import { leaseLost } from './unavailable.ts'

export interface LeaseOptions {
  /** Extends the lease in the store. */
  extend(): Promise<boolean>
  /** In seconds. */
  readonly lease: number
  /** How long to wait for an answer of the store, in seconds. */
  readonly storeTimeout: number
  readonly now: () => number
  /** When the lease was requested: it ends no earlier than its length from then. */
  readonly since: number
}

export interface HeldLease {
  /** Aborted when the lease was lost, with a WebhookError `lease_lost`. */
  readonly signal: AbortSignal
  /** How the lease was lost, if it was. */
  readonly lost: string | undefined
  /** When the lease runs out, as far as is known here, in milliseconds of the clock. */
  readonly end: number
  /** Stops extending the lease. A later answer of the store is ignored. */
  stop(): void
}

/**
 * Extends a lease every third of its length until it is stopped or lost. It is lost when the store says so, or
 * when the store could not be asked until its end.
 */
export function holdLease({ extend, lease, storeTimeout, now, since }: LeaseOptions): HeldLease {
  const controller = new AbortController()
  const third = lease / 3
  let end = since + lease * 1000
  let lost: string | undefined
  let stopped = false
  let cancel = startTimer(third, renew)

  function renew(): void {
    const requested = now()
    withTimeout(Math.min(storeTimeout, third), attempt(extend), () => undefined).then(
      (extended) => {
        if (stopped) return
        if (extended !== true) return lose('it expired, or another process has it')
        end = requested + lease * 1000
        cancel = startTimer(third, renew)
      },
      () => {
        if (stopped) return
        if (now() >= end) return lose('it expired, because the store could not be reached')
        cancel = startTimer(Math.min(third, (end - now()) / 1000), renew)
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
