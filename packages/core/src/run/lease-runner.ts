import {
  AT_ONCE,
  attempt,
  isPromiseLike,
  settlingOf,
  startTimer,
  withTimeout,
  withTimeoutIfAsync,
} from '../async/timeout.ts'
import { WorkContext } from '../handling/context.ts'
import type { Outcome } from '../handling/steps.ts'
import {
  handlerTimeout,
  inProgress,
  leaseLost,
  storeFailed,
  storeTooSlow,
  storeUnavailable,
} from '../handling/unavailable.ts'
import { storeKeyOf } from '../store/key.ts'
import type { Claim, DeliveryStore } from '../store/store.ts'
import { createTokens } from '../store/tokens.ts'
import { abandonAfter, isAbandoned } from './abandon.ts'
import { Admission } from './admission.ts'
import { type HeldLease, holdLease, LOST, NO_BOOLEAN, type OwnClaim } from './lease.ts'
import { retryUntil } from './retry.ts'
import type { LeaseSettings, Runner } from './runner.ts'

/** The longest wait between two attempts to complete or release a claim, in seconds. */
const MAX_WAIT = 1

/** How many releases are retried at a time: a store that is down must not pile them up. */
const MAX_PENDING_RELEASES = 100

/**
 * Claims a delivery, runs it and marks it as done.
 *
 * @throws WebhookError `delivery_in_progress`, `store_unavailable`, `lease_lost`, `handler_timeout` or
 * `handler_abandoned` (503), and whatever the work throws.
 */
export function createLeaseRunner(store: DeliveryStore, settings: LeaseSettings): Runner {
  const { lease, storeTimeout } = settings
  // A response that never comes must leave time for further attempts within the lease.
  const attemptTimeout = Math.min(storeTimeout, lease / 3)
  const retrying = {
    longest: Math.min(MAX_WAIT, lease / 20),
    limit: attemptTimeout,
  }
  let pendingReleases = 0
  let responded = false
  const admission = new Admission()
  const newToken = createTokens()

  return async function run(delivery, work, timeout, take, late) {
    admission.enter()
    // Only what is a promise is waited for.
    const named = storeKeyOf(delivery)
    const key = typeof named === 'string' ? named : await named
    const claim = { key, token: newToken(), since: performance.now(), isLate: false }
    let claimed: Claim
    try {
      const claiming = store.claim(key, claim.token, lease)
      claimed = isPromiseLike(claiming) ? await claimInTime(claim, claiming) : claiming
    } catch (cause) {
      if (claim.isLate) admission.late()
      else {
        admission.inTime()
        void release(key, claim.token)
      }
      throw storeFailed({ lease }, cause, responded)
    }
    responded = true
    admission.inTime()
    if (claimed?.status === 'done') return 'duplicate'
    if (claimed?.status === 'in_progress') throw inProgress(claimed.retryAfter)
    if (claimed?.status !== 'claimed') {
      void release(key, claim.token)
      throw storeUnavailable({ lease }, 'returned a value that is not a claim')
    }
    const context = new WorkContext(undefined)
    const working = attempt(() => work(context))
    const settling = settlingOf(working)
    for (let waited = 0; waited < AT_ONCE && !settling.isOver; waited++) await undefined
    // A lease is extended, and the time of the work limited, only where it takes time.
    if (!settling.isOver) return finishInTime(claim, working.then(take), context, timeout, late)
    const limit = Math.min(timeout, attemptTimeout)
    try {
      take(await working)
    } catch (error) {
      await giveUp(claim, error, limit)
      throw error
    }
    return await complete(claim, limit)
  }

  function claimInTime(
    claim: OwnClaim & { isLate: boolean },
    claiming: PromiseLike<Claim>,
  ): Promise<Claim> {
    const making = Promise.resolve(claiming)
    return withTimeout(storeTimeout, making, () => {
      claim.isLate = true
      void undo(claim, making)
      return storeTooSlow({ lease }, storeTimeout)
    })
  }

  /** Releases a claim whose response is late: when it has come, and before that if it does not seem to come at all. */
  async function undo({ key, token }: OwnClaim, making: Promise<Claim>): Promise<void> {
    const cancel = startTimer(storeTimeout, () => void release(key, token))
    const made = await making.catch(() => undefined)
    cancel()
    if (made?.status !== 'done' && made?.status !== 'in_progress') await release(key, token)
  }

  /** Waits for work that takes time, and completes or releases its claim. */
  function finishInTime(
    claim: OwnClaim,
    working: Promise<void>,
    context: WorkContext<unknown>,
    timeout: number,
    late: (error: unknown) => void,
  ): Promise<Outcome> {
    const held = holdLease(store, claim, context, settings)
    const outcome = finish(claim, abandonAfter(settings.abandonAfter, context, working, late), held)
    return withTimeout(timeout, outcome, () => {
      outcome.catch(late)
      return handlerTimeout(timeout)
    })
  }

  async function finish(
    claim: OwnClaim,
    working: Promise<void>,
    held: HeldLease,
  ): Promise<Outcome> {
    try {
      await working
    } catch (error) {
      held.stop()
      if (held.lost) throw leaseLost(held.lost, lease, { cause: error })
      await giveUp(claim, error, attemptTimeout)
      throw error
    }
    held.stop()
    // A handler that stops because of the signal may return instead of throwing.
    if (held.lost) throw leaseLost(held.lost, lease)
    return await complete(claim, attemptTimeout, held.end)
  }

  /** Releases the claim of work that has failed. */
  async function giveUp({ key, token }: OwnClaim, error: unknown, limit: number): Promise<void> {
    // The rest of its lease is the time that the handler has to stop.
    if (!isAbandoned(error)) await release(key, token, limit)
  }

  /** @param end when the lease runs out, as far as is known here. */
  async function complete(
    { key, token, since }: OwnClaim,
    limit: number,
    end = since + lease * 1000,
  ): Promise<Outcome> {
    let completing: unknown
    let completed: unknown
    try {
      completing = store.complete(key, token)
      const tooSlow = () => storeTooSlow('complete', limit)
      completed = await withTimeoutIfAsync(limit, completing, tooSlow)
    } catch (cause) {
      // A delivery that is still marked now is not handled twice.
      void retryUntil(completing, () => store.complete(key, token), { ...retrying, end })
      throw storeFailed('complete', cause)
    }
    if (completed === true) return 'completed'
    if (completed !== false) throw storeUnavailable('complete', NO_BOOLEAN)
    throw leaseLost(LOST, lease)
  }

  /**
   * Releases a claim, also one that may not have been made: otherwise every copy of the delivery would wait until it
   * runs out. Resolves after the first attempt, and retries while the lease lasts.
   */
  async function release(key: string, token: string, limit = attemptTimeout): Promise<void> {
    const end = performance.now() + lease * 1000
    let releasing: unknown
    try {
      releasing = store.release(key, token)
      await withTimeoutIfAsync(limit, releasing, () => undefined)
    } catch {
      if (pendingReleases >= MAX_PENDING_RELEASES) return
      pendingReleases++
      const retried = retryUntil(releasing, () => store.release(key, token), { ...retrying, end })
      void retried.then(() => pendingReleases--)
    }
  }
}
