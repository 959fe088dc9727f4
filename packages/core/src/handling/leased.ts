import { after, asking, within } from './deadline.ts'
import type { HandlerContext } from './handlers.ts'
import { keyOf } from './key.ts'
import { type HeldLease, holdLease } from './lease.ts'
import {
  handlerTimeout,
  inProgress,
  leaseLost,
  rejection,
  slowness,
  storeUnavailable,
} from './refusals.ts'
import type { Outcome, Runner, RunnerSettings } from './runner.ts'
import type { Claim, DeliveryStore } from './store.ts'

/** Between two attempts to mark a delivery as done after the answer, in seconds. */
const AGAIN = 1

/**
 * Claims a delivery, runs it and marks it as done.
 *
 * @throws WebhookError `delivery_in_progress`, `store_unavailable`, `lease_lost` or `handler_timeout` (503),
 * and whatever the work throws.
 */
export function leasedRunner(store: DeliveryStore, settings: RunnerSettings): Runner {
  const { endpoint, lease, timeout, storeTimeout, now, randomToken, afterwards } = settings

  return async function run(id, work) {
    const [key, token, since] = [await keyOf(endpoint, id), randomToken(), now()]
    const claim = await claimed(key, token)
    if (claim.status === 'done') return 'duplicate'
    if (claim.status === 'in_progress') throw inProgress(claim.retryAfter)
    const held = holdLease({
      extend: () => store.extend(key, token, lease),
      lease,
      storeTimeout,
      now,
      since,
    })
    const ended = toItsEnd(key, token, held, work)
    return within(timeout, ended, () => {
      ended.catch(afterwards)
      return handlerTimeout(timeout)
    })
  }

  async function claimed(key: string, token: string): Promise<Claim> {
    const asked = asking(() => store.claim(key, token, lease))
    try {
      const claim = await within(storeTimeout, asked, () => {
        // A claim that comes too late would keep every copy away until it runs out.
        asked
          .then((late) => late.status === 'claimed' && store.release(key, token))
          .catch(() => undefined)
        return slowness('claim', storeTimeout)
      })
      if (['claimed', 'done', 'in_progress'].includes(claim?.status)) return claim
    } catch (cause) {
      throw rejection('claim', cause)
    }
    throw storeUnavailable('claim', 'answered something that is no claim')
  }

  async function toItsEnd(
    key: string,
    token: string,
    held: HeldLease,
    work: (context: HandlerContext<unknown>) => Promise<unknown>,
  ): Promise<Outcome> {
    try {
      await work({ signal: held.signal, transaction: undefined })
    } catch (error) {
      held.stop()
      if (held.lost) throw leaseLost(held.lost, lease, { cause: error })
      await within(
        storeTimeout,
        asking(() => store.release(key, token)),
        () => undefined,
      ).catch(
        // The lease runs out by itself, and the handler's error is what counts.
        () => undefined,
      )
      throw error
    }
    held.stop()
    // Whoever stops because of the signal may return as well as throw.
    if (held.lost) throw leaseLost(held.lost, lease)
    const completed = await complete(key, token).catch((cause) => {
      completeLater(key, token, held.end)
      throw rejection('complete', cause)
    })
    if (completed) return 'completed'
    throw leaseLost('when it had finished, the store said that another has it', lease)
  }

  async function complete(key: string, token: string): Promise<boolean> {
    const asked = asking(() => store.complete(key, token))
    return (await within(storeTimeout, asked, () => slowness('complete', storeTimeout))) === true
  }

  /** Goes on trying while the lease lasts: each delivery that is marked yet is not handled twice. */
  function completeLater(key: string, token: string, end: number): void {
    if (now() >= end) return
    after(AGAIN, () => {
      complete(key, token).catch(() => completeLater(key, token, end))
    })
  }
}
