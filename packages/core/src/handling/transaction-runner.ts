import { after, asking } from '../async/timeout.ts'
import type { Runner, RunnerSettings } from './runner.ts'
import type { Outcome } from './steps.ts'
import type { Claim, TransactionalDeliveryStore } from './store.ts'
import { keyOf } from './store-key.ts'
import {
  handlerTimeout,
  inProgress,
  rejection,
  type Stage,
  slowness,
  storeUnavailable,
} from './unavailable.ts'

/** What became of the work, as it was seen here: nothing yet where it is waited for, or runs. */
type Progress = undefined | 'given up' | 'finished' | { readonly failure: unknown }

/**
 * Runs a delivery inside the transaction in which it is marked as done.
 *
 * @throws WebhookError `delivery_in_progress`, `store_unavailable` or `handler_timeout` (503), and whatever
 * the work throws.
 */
export function transactedRunner(
  store: TransactionalDeliveryStore<unknown>,
  { endpoint, timeout, storeTimeout, afterwards }: RunnerSettings,
): Runner {
  return async function run(id, work) {
    const key = await keyOf(endpoint, id)
    const { signal } = new AbortController()
    return new Promise((resolve, reject) => {
      let progress: Progress
      let told: { readonly error: unknown } | undefined
      const refuse = (error: unknown) => {
        told = { error }
        reject(error)
      }
      let cancel = after(storeTimeout, () => {
        progress = 'given up'
        refuse(slowness('begin', storeTimeout))
      })

      const marked = asking(() =>
        store.transact(key, async (transaction) => {
          cancel()
          if (progress === 'given up') throw new Error('The delivery was answered 503 meanwhile.')
          progress = undefined
          cancel = after(timeout, () => refuse(handlerTimeout(timeout)))
          try {
            await work({ signal, transaction })
            progress = 'finished'
          } catch (failure) {
            progress = { failure }
            throw failure
          } finally {
            cancel()
            cancel = after(storeTimeout, () =>
              refuse(failed(progress) ? progress.failure : slowness('commit', storeTimeout)),
            )
          }
        }),
      )

      marked
        .then(
          (claim) => outcomeOf(claim, progress),
          (cause) => {
            throw failed(progress) ? progress.failure : rejection(stageOf(progress), cause)
          },
        )
        .finally(() => cancel())
        .then(resolve, (error) => {
          // What was given up at the beginning had no work to tell of.
          if (told && told.error !== error && progress !== 'given up') afterwards(error)
          reject(error)
        })
    })
  }
}

function outcomeOf(claim: Claim, progress: Progress): Outcome {
  if (failed(progress)) throw progress.failure
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
    'answered something that is no claim, or without running the work',
  )
}

function failed(progress: Progress): progress is { readonly failure: unknown } {
  return typeof progress === 'object'
}

function stageOf(progress: Progress): Stage {
  return progress === 'finished' ? 'commit' : 'begin'
}
