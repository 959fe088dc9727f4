import { runHook, secondsSince } from '../hooks.ts'
import { isTransactional, type ResolvedHandlingOptions } from './options.ts'
import type { DeliveryStore, TransactionalDeliveryStore } from './store.ts'
import type { StoreCall, StoreCallHook } from './store-call.ts'

type Store = NonNullable<ResolvedHandlingOptions['store']>

/** Reports that a call of the store is over. */
type ReportCall = (result: StoreCall['result'], error?: unknown) => void

/** A store that calls `onStoreCall` for each call of `store`, when the call is over. */
export function observeStore(
  store: Store,
  onStoreCall: StoreCallHook,
  { endpoint, now }: Pick<ResolvedHandlingOptions, 'endpoint' | 'now'>,
): Store {
  function begin(operation: StoreCall['operation']): ReportCall {
    const since = performance.now()
    return (result, error) => {
      void runHook('onStoreCall', onStoreCall, () => ({
        operation,
        result,
        at: now(),
        duration: secondsSince(since),
        endpoint,
        error,
      }))
    }
  }
  return isTransactional(store)
    ? observeTransactions(store, begin)
    : observeCalls(store, (operation, call, resultOf) => observe(begin(operation), call, resultOf))
}

async function observe<Answer>(
  report: ReportCall,
  call: () => Promise<Answer>,
  resultOf: (answer: Answer) => StoreCall['result'],
): Promise<Answer> {
  let answer: Answer
  try {
    answer = await call()
  } catch (error) {
    report('failed', error)
    throw error
  }
  report(resultOf(answer))
  return answer
}

function observeCalls(
  store: DeliveryStore,
  watch: <Answer>(
    operation: StoreCall['operation'],
    call: () => Promise<Answer>,
    resultOf: (answer: Answer) => StoreCall['result'],
  ) => Promise<Answer>,
): DeliveryStore {
  return {
    claim: (key, token, lease) => watch('claim', () => store.claim(key, token, lease), claimResult),
    complete: (key, token) => watch('complete', () => store.complete(key, token), ownerResult),
    release: (key, token) => watch('release', () => store.release(key, token), ownerResult),
    extend: (key, token, lease) =>
      watch('extend', () => store.extend(key, token, lease), ownerResult),
  }
}

/** The time of the work itself is not the store's: a transaction is reported in two parts. */
function observeTransactions(
  store: TransactionalDeliveryStore<unknown>,
  begin: (operation: StoreCall['operation']) => ReportCall,
): TransactionalDeliveryStore<unknown> {
  return {
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
  return owned === true ? 'ok' : 'lost'
}
