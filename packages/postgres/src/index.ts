export { migrate, migrationOf } from './migration.ts'
export type {
  PostgresStoreOptions,
  PostgresTransactionalStoreOptions,
} from './options.ts'
export type { Query } from './query.ts'
export { postgresStore } from './store.ts'
export { postgresTransactionalStore } from './transactional-store.ts'
