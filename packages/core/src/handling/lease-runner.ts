import { attempt, withTimeout } from '../async/timeout.ts'
import type { HandlerContext } from './dispatch.ts'
import { type HeldLease, holdLease } from './lease.ts'
import { retryUntil } from './retry.ts'
import type { Runner, RunnerSettings } from './runner.ts'
import type { Outcome } from './steps.ts'
import type { Claim, DeliveryStore } from './store.ts'
import { storeKeyOf } from './store-key.ts'
import {
  handlerTimeout,
  inProgress,
  leaseLost,
  storeFailed,
  storeTooSlow,
  storeUnavailable,
} from './unavailable.ts'

/** The longest wait between two attempts to complete or release a claim, in seconds. */
const MAX_WAIT = 1

/** How many releases are retried at a time: a store that is down must not pile them up. */
const MAX_PENDING_RELEASES = 100

/**
 * Claims a delivery, runs it and marks it as done.
 *
 * @throws WebhookError `delivery_in_progress`, `store_unavailable`, `lease_lost` or `handler_timeout` (503),
 * and whatever the work throws.
 */
export function createLeaseRunner(store: DeliveryStore, settings: RunnerSettings): Runner {
  const { endpoint, lease, storeTimeout, now, random, randomToken, onLateFailure } = settings
  // An answer that never comes must leave time for further attempts within the lease.
  const attemptTimeout = Math.min(storeTimeout, lease / 3)
  const longest = Math.min(MAX_WAIT, lease / 20)
  let pendingReleases = 0

  return async function run(id, work, timeout) {
    const [key, token, since] = [await storeKeyOf(endpoint, id), randomToken(), now()]
    const claim = await claimKey(key, token)
    if (claim.status === 'done') return 'duplicate'
    if (claim.status === 'in_progress') throw inProgress(claim.retryAfter)
    const held = holdLease({
      extend: () => store.extend(key, token, lease),
      lease,
      storeTimeout,
      now,
      since,
    })
    const outcome = runAndComplete(key, token, held, work)
    return withTimeout(timeout, outcome, () => {
      outcome.catch(onLateFailure)
      return handlerTimeout(timeout)
    })
  }

  async function claimKey(key: string, token: string): Promise<Claim> {
    const claiming = attempt(() => store.claim(key, token, lease))
    try {
      const claim = await withTimeout(storeTimeout, claiming, () => {
        // The claim may still be made, after its first release.
        claiming.then(
          (late) => {
            if (!isClaim(late) || late.status === 'claimed') void release(key, token)
          },
          () => release(key, token),
        )
        return storeTooSlow({ lease }, storeTimeout)
      })
      if (isClaim(claim)) return claim
    } catch (cause) {
      void release(key, token)
      throw storeFailed({ lease }, cause)
    }
    void release(key, token)
    throw storeUnavailable({ lease }, 'returned a value that is not a claim')
  }

  async function runAndComplete(
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
      await release(key, token)
      throw error
    }
    held.stop()
    // A handler that stops because of the signal may return instead of throwing.
    if (held.lost) throw leaseLost(held.lost, lease)
    const completed = await complete(key, token).catch((cause) => {
      // A delivery that is still marked now is not handled twice.
      void retryUntil(() => complete(key, token), { longest, end: held.end, now, random })
      throw storeFailed('complete', cause)
    })
    if (completed) return 'completed'
    throw leaseLost('when the handler had finished, another process had the claim', lease)
  }

  async function complete(key: string, token: string): Promise<boolean> {
    const completing = attempt(() => store.complete(key, token))
    const late = () => storeTooSlow('complete', attemptTimeout)
    return (await withTimeout(attemptTimeout, completing, late)) === true
  }

  /**
   * Releases a claim, also one that may not have been made: otherwise every copy of the delivery would wait until it
   * runs out. Resolves after the first attempt, and retries while the lease lasts.
   */
  async function release(key: string, token: string): Promise<void> {
    const end = now() + lease * 1000
    const releaseOnce = () =>
      withTimeout(
        attemptTimeout,
        attempt(() => store.release(key, token)),
        () => undefined,
      )
    try {
      await releaseOnce()
    } catch {
      if (pendingReleases >= MAX_PENDING_RELEASES) return
      pendingReleases++
      void retryUntil(releaseOnce, { longest, end, now, random }).then(() => pendingReleases--)
    }
  }
}

function isClaim(claim: Claim): boolean {
  return ['claimed', 'done', 'in_progress'].includes(claim?.status)
}
