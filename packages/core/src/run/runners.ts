import { observeStore } from '../handling/observed-store.ts'
import { isTransactional, type ResolvedHandlingOptions } from '../handling/settings.ts'
import { CHANNELS, channel } from '../observe/channels.ts'
import type { DeliveryStore, TransactionalDeliveryStore } from '../store/store.ts'
import { createLeaseRunner } from './lease-runner.ts'
import type { LeaseSettings, Runner } from './runner.ts'
import { createTransactionRunner } from './transaction-runner.ts'

/** The runner for a delivery: calls of the store are reported only while somebody listens. */
export function createRunners(
  store: DeliveryStore | TransactionalDeliveryStore<unknown>,
  settings: LeaseSettings & Pick<ResolvedHandlingOptions, 'endpoint' | 'now' | 'onStoreCall'>,
): () => Runner {
  const { onStoreCall } = settings
  const calls = channel(CHANNELS.store)
  const silent = runnerOn(store, settings)
  const observed = runnerOn(observeStore(store, settings, calls), settings)
  return () => (onStoreCall || calls?.hasSubscribers ? observed : silent)
}

function runnerOn(
  store: DeliveryStore | TransactionalDeliveryStore<unknown>,
  settings: LeaseSettings,
): Runner {
  return isTransactional(store)
    ? createTransactionRunner(store, settings)
    : createLeaseRunner(store, settings)
}
