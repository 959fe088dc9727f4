import { attempt, settlingOf, startTimer } from '../async/timeout.ts'
import { WorkContext } from '../handling/context.ts'
import { replyBehind } from '../handling/reply.ts'
import type { Outcome } from '../handling/steps.ts'
import {
  handlerTimeout,
  inProgress,
  type Stage,
  storeFailed,
  storeTooSlow,
  storeUnavailable,
} from '../handling/unavailable.ts'
import { isWebhookError } from '../reject/webhook-error.ts'
import { storeKeyOf } from '../store/key.ts'
import type { Claim, TransactionalDeliveryStore } from '../store/store.ts'
import { isError } from '../validate/error.ts'
import { abandonAfter } from './abandon.ts'
import { Admission } from './admission.ts'
import type { Runner, StoreRunSettings } from './runner.ts'

/**
 * How many microtasks are waited for work that may end at once, as on a database in the process: fewer than elsewhere, since nearly all
 * work in a transaction waits for a database.
 */
const AT_ONCE = 3

/** A handler whose connection was taken away fails because of that. */
const CUT_OFF = () => {}

/** What is known of the work; nothing while it is waited for. */
type Progress = undefined | 'given up' | 'running' | 'finished' | { readonly failure: unknown }

/**
 * Runs a delivery inside the transaction in which it is marked as done.
 *
 * @throws WebhookError `delivery_in_progress`, `store_unavailable`, `handler_timeout` or `handler_abandoned` (503), and
 * whatever the work throws.
 */
export function createTransactionRunner(
  store: TransactionalDeliveryStore<unknown>,
  settings: StoreRunSettings,
): Runner {
  const { storeTimeout } = settings
  const admission = new Admission()
  return async function run(delivery, work, timeout, take, late) {
    admission.enter()
    const named = storeKeyOf(delivery)
    const key = typeof named === 'string' ? named : await named
    return new Promise((resolve, reject) => {
      let progress: Progress
      let rejected: { readonly error: unknown } | undefined
      const rejectWith = (error: unknown) => {
        rejected = { error }
        reject(error)
      }
      // At once, since the roll-back may wait for a statement of the handler.
      const abandon = (error: unknown) => {
        if (rejected) late(error)
        rejectWith(error)
      }
      let cancel = startTimer(storeTimeout, () => {
        progress = 'given up'
        admission.late()
        rejectWith(storeTooSlow('begin', storeTimeout))
      })

      const transacting = attempt(() =>
        store.transact(key, async (transaction) => {
          cancel()
          if (progress === 'given up') throw new Error('The response was already 503.')
          progress = 'running'
          admission.inTime()
          const context = new WorkContext(transaction)
          const working = attempt(() => work(context))
          const settling = settlingOf(working)
          for (let waited = 0; waited < AT_ONCE && !settling.isOver; waited++) await undefined
          try {
            if (settling.isOver) take(await working)
            else {
              const taken = working.then(take)
              const abandonable = abandonAfter(
                settings.abandonAfter,
                context,
                taken,
                CUT_OFF,
                abandon,
              )
              cancel = startTimer(timeout, () => rejectWith(handlerTimeout(timeout)))
              await abandonable
            }
            progress = 'finished'
          } catch (failure) {
            progress = { failure }
            throw failure
          } finally {
            cancel()
            cancel = startTimer(storeTimeout, () =>
              rejectWith(
                failed(progress) ? progress.failure : storeTooSlow('commit', storeTimeout),
              ),
            )
          }
        }),
      )

      const fail = (error: unknown) => {
        // What was given up at the beginning had no work to report.
        if (rejected && rejected.error !== error && progress !== 'given up') late(error)
        rejectWith(error)
      }
      transacting.then(
        (claim) => {
          cancel()
          if (progress === undefined) admission.inTime()
          try {
            resolve(outcomeOf(claim, progress))
          } catch (error) {
            fail(error)
          }
        },
        (cause) => {
          cancel()
          if (progress === undefined) admission.inTime()
          fail(failed(progress) ? said(cause, progress) : storeFailed(stageOf(progress), cause))
        },
      )
    })
  }
}

function outcomeOf(claim: Claim, progress: Progress): Outcome {
  if (failed(progress)) throw progress.failure
  if (progress === 'running') throw storeUnavailable('running', 'returned before the work was done')
  switch (claim?.status) {
    case 'done':
      return 'duplicate'
    case 'in_progress':
      throw inProgress(claim.retryAfter)
    case 'claimed':
      if (progress === 'finished') return 'completed'
  }
  throw storeUnavailable(
    stageOf(progress),
    'returned a value that is not a claim, or did not run the work',
  )
}

function failed(progress: Progress): progress is { readonly failure: unknown } {
  return typeof progress === 'object'
}

/** What a handler threw, or what the store says about it, such as that the handler had ended its transaction. */
function said(thrown: unknown, { failure }: { readonly failure: unknown }): unknown {
  const isOfHandler = !isWebhookError(failure) && !replyBehind(failure)
  return isOfHandler && isError(thrown) && thrown.cause === failure ? thrown : failure
}

function stageOf(progress: Progress): Stage {
  if (progress === 'running') return progress
  return progress === 'finished' ? 'commit' : 'begin'
}
