import { asking, within } from '../async/timeout.ts'
import type { HandlerContext } from './dispatch.ts'
import { type HeldLease, holdLease } from './lease.ts'
import { retryUntil } from './retry.ts'
import type { Runner, RunnerSettings } from './runner.ts'
import type { Outcome } from './steps.ts'
import type { Claim, DeliveryStore } from './store.ts'
import { keyOf } from './store-key.ts'
import {
  handlerTimeout,
  inProgress,
  leaseLost,
  rejection,
  slowness,
  storeUnavailable,
} from './unavailable.ts'

/** The longest wait between two tries to mark a delivery or to give its claim back, in seconds. */
const LONGEST_WAIT = 1

/** How many claims are tried to be given back at a time: a store that is away must not pile them up. */
const MOST_GIVEN_BACK = 100

/**
 * Claims a delivery, runs it and marks it as done.
 *
 * @throws WebhookError `delivery_in_progress`, `store_unavailable`, `lease_lost` or `handler_timeout` (503),
 * and whatever the work throws.
 */
export function leasedRunner(store: DeliveryStore, settings: RunnerSettings): Runner {
  const { endpoint, lease, timeout, storeTimeout, now, random, randomToken, afterwards } = settings
  // An answer that never comes must leave time for further tries within the lease.
  const patience = Math.min(storeTimeout, lease / 3)
  const longest = Math.min(LONGEST_WAIT, lease / 20)
  let givenBack = 0

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
        // It may still be made, after it was given back for the first time.
        asked.then(
          (late) => {
            if (!isClaim(late) || late.status === 'claimed') void giveBack(key, token)
          },
          () => giveBack(key, token),
        )
        return slowness({ lease }, storeTimeout)
      })
      if (isClaim(claim)) return claim
    } catch (cause) {
      void giveBack(key, token)
      throw rejection({ lease }, cause)
    }
    void giveBack(key, token)
    throw storeUnavailable({ lease }, 'answered something that is no claim')
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
      await giveBack(key, token)
      throw error
    }
    held.stop()
    // Whoever stops because of the signal may return as well as throw.
    if (held.lost) throw leaseLost(held.lost, lease)
    const completed = await complete(key, token).catch((cause) => {
      // Each delivery that is marked yet is not handled twice.
      void retryUntil(() => complete(key, token), { longest, end: held.end, now, random })
      throw rejection('complete', cause)
    })
    if (completed) return 'completed'
    throw leaseLost('when it had finished, the store said that another has it', lease)
  }

  async function complete(key: string, token: string): Promise<boolean> {
    const asked = asking(() => store.complete(key, token))
    return (await within(patience, asked, () => slowness('complete', patience))) === true
  }

  /**
   * Releases a claim, also one of which it is not known whether it was made: it would keep every copy away
   * until it runs out. Resolves after the first try, and goes on while the lease lasts.
   */
  async function giveBack(key: string, token: string): Promise<void> {
    const end = now() + lease * 1000
    const release = () =>
      within(
        patience,
        asking(() => store.release(key, token)),
        () => undefined,
      )
    try {
      await release()
    } catch {
      if (givenBack >= MOST_GIVEN_BACK) return
      givenBack++
      void retryUntil(release, { longest, end, now, random }).then(() => givenBack--)
    }
  }
}

function isClaim(claim: Claim): boolean {
  return ['claimed', 'done', 'in_progress'].includes(claim?.status)
}
