export type {
  Claim,
  DeliveryStore,
  TransactionalDeliveryStore,
} from '@webhook-receiver/core/handling'
export { MIGRATION, type MigrationOptions, migrate, migrationOf } from './migration.ts'
export type { PostgresStoreOptions, PostgresTransactionalStoreOptions } from './options.ts'
export type { Query, QueryAnswer, QueryValue } from './query.ts'
export {
  type RecoverWorkersOptions,
  type RecoverWorkersPlugin,
  recoverWorkers,
} from './recover-workers.ts'
export { type RunInOrderOptions, type RunningJob, runInOrder } from './run-in-order.ts'
export { postgresStore } from './store.ts'
export { postgresTransactionalStore } from './transactional-store.ts'
