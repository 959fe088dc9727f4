export type {
  Claim,
  DeliveryStore,
  TransactionalDeliveryStore,
} from '@webhook-receiver/core/handling'
export type { SqliteDatabase, SqliteStatement, SqliteValue } from './database.ts'
export { MIGRATION, type MigrationOptions, migrate, migrationOf } from './migration.ts'
export type { SqliteStoreOptions, SqliteTransactionalStoreOptions } from './options.ts'
export { sqliteStore } from './store.ts'
export { sqliteTransactionalStore } from './transactional-store.ts'
