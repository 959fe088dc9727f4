import { runHook, secondsSince } from '../hooks.ts'
import type { Channel } from '../observe/channels.ts'
import { nameOf } from '../reject/handler-failure.ts'
import type { DeliveryStore, TransactionalDeliveryStore } from '../store/store.ts'
import type { StoreCall, StoreMessage } from '../store/store-call.ts'
import { isTransactional, type ResolvedHandlingOptions } from './settings.ts'

type Store = NonNullable<ResolvedHandlingOptions['store']>

/** Reports that a call of the store is over. */
type ReportCall = (result: StoreCall['result'], error?: unknown) => void

/** A store that calls `onStoreCall` and publishes on the channel for each call of `store`, when the call is over. */
export function observeStore(
  store: Store,
  { endpoint, now, onStoreCall }: Pick<ResolvedHandlingOptions, 'endpoint' | 'now' | 'onStoreCall'>,
  channel: Channel | undefined,
): Store {
  function begin(operation: StoreCall['operation']): ReportCall {
    const since = performance.now()
    return (result, error) => {
      const at = now()
      const call = { operation, result, at, duration: secondsSince(since), endpoint }
      if (channel?.hasSubscribers) {
        const message: StoreMessage = { ...call, errorName: nameOf(error) }
        channel.publish(message)
      }
      void runHook('onStoreCall', onStoreCall, () => ({ ...call, error }))
    }
  }
  return isTransactional(store) ? observeTransactions(store, begin) : observeCalls(store, begin)
}

function observeCalls(
  store: DeliveryStore,
  begin: (operation: StoreCall['operation']) => ReportCall,
): DeliveryStore {
  async function watch<Result>(
    operation: StoreCall['operation'],
    call: () => Result | Promise<Result>,
    resultOf: (result: Result) => StoreCall['result'],
  ): Promise<Result> {
    const report = begin(operation)
    try {
      const result = await call()
      report(resultOf(result))
      return result
    } catch (error) {
      report('failed', error)
      throw error
    }
  }

  return {
    claim: (key, token, lease) => watch('claim', () => store.claim(key, token, lease), claimResult),
    complete: (key, token) => watch('complete', () => store.complete(key, token), ownerResult),
    release: (key, token) => watch('release', () => store.release(key, token), ownerResult),
    extend: (key, token, lease) =>
      watch('extend', () => store.extend(key, token, lease), ownerResult),
    // Only an operator calls it, and on the store itself.
    forget: (key) => store.forget(key),
  }
}

/** The time of the work itself is not the store's: a transaction is reported in two parts. */
function observeTransactions(
  store: TransactionalDeliveryStore<unknown>,
  begin: (operation: StoreCall['operation']) => ReportCall,
): TransactionalDeliveryStore<unknown> {
  return {
    forget: (key) => store.forget(key),
    async transact(key, work) {
      let report = begin('begin')
      let worked = false
      let failure: { readonly error: unknown } | undefined
      try {
        const claim = await store.transact(key, async (transaction) => {
          // A transaction that could not be put in order runs its work again.
          if (!worked) report('claimed')
          worked = true
          failure = undefined
          try {
            await work(transaction)
          } catch (error) {
            failure = { error }
            throw error
          } finally {
            report = begin(failure ? 'rollback' : 'commit')
          }
        })
        report(worked ? 'ok' : claimResult(claim))
        return claim
      } catch (error) {
        if (failure?.error === error) report('ok')
        else report('failed', error)
        throw error
      }
    },
  }
}

function claimResult(claim: { readonly status: StoreCall['result'] }): StoreCall['result'] {
  const known = ['claimed', 'done', 'in_progress'].includes(claim?.status)
  return known ? claim.status : 'failed'
}

function ownerResult(owned: boolean): StoreCall['result'] {
  if (owned === false) return 'lost'
  return owned === true ? 'ok' : 'failed'
}
