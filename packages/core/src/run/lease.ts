import { attempt, startTimer, withTimeout } from '../async/timeout.ts'
import { WorkContext } from '../handling/context.ts'
import { leaseLost } from '../handling/unavailable.ts'
import type { DeliveryStore } from '../store/store.ts'
import type { LeaseSettings } from './runner.ts'

/** What a store did that is made otherwise than its interface. */
export const NO_BOOLEAN = 'returned neither true nor false'

/** What a store only knows as false. Redis may have evicted it. */
export const LOST = 'it expired, was deleted, or another process has it'

/** A claim that was made here. */
export interface OwnClaim {
  readonly key: string
  readonly token: string
  /** When it was requested: the lease ends no earlier than its length from then. A time of `performance.now`, which is never set. */
  readonly since: number
}

export interface HeldLease {
  /** How the lease was lost, if it was. */
  readonly lost: string | undefined
  /** When the lease runs out, as far as is known here, by `performance.now`. */
  readonly end: number
  /** Stops extending the lease. A later response of the store is ignored. */
  stop(): void
}

/**
 * Extends a lease every third of its length until it is stopped or lost. It is lost when the store says so, or
 * when the store could not be asked until its end. Then the signal of `context` is aborted with a WebhookError `lease_lost`.
 */
export function holdLease(
  store: DeliveryStore,
  { key, token, since }: OwnClaim,
  context: WorkContext<unknown>,
  { lease, storeTimeout }: Pick<LeaseSettings, 'lease' | 'storeTimeout'>,
): HeldLease {
  const third = lease / 3
  let end = since + lease * 1000
  let lost: string | undefined
  let stopped = false
  // The handler may have blocked the event loop since then.
  const passed = Math.max(0, performance.now() - since) / 1000
  let cancel = startTimer(Math.max(0, third - passed), renew)

  function renew(): void {
    const requested = performance.now()
    const extending = attempt(() => store.extend(key, token, lease))
    withTimeout(Math.min(storeTimeout, third), extending, () => undefined).then(
      (extended) => {
        if (stopped) return
        if (extended === false) return lose(LOST)
        if (extended !== true) return lose(`the store ${NO_BOOLEAN}`)
        end = requested + lease * 1000
        cancel = startTimer(third, renew)
      },
      () => {
        if (stopped) return
        if (performance.now() >= end)
          return lose('it expired, because the store could not be reached')
        cancel = startTimer(Math.min(third, (end - performance.now()) / 1000), renew)
      },
    )
  }

  function lose(how: string): void {
    lost = how
    WorkContext.abort(context, leaseLost(how, lease))
  }

  return {
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
