export type { InboxConnection } from './database.ts'
export { type Inbox, type InboxWork, postgresInbox } from './inbox.ts'
export type {
  InboxEntry,
  InboxForget,
  InboxOperators,
  InboxRetried,
  InboxRetry,
  InboxSelection,
  InboxState,
  InboxStats,
} from './operators.ts'
export type { FailedAttempt, InboxContext, InboxOptions, InboxService } from './options.ts'
export type { StoreDelivery } from './receive.ts'
export { migrationOf } from './schema.ts'
export type { InboxWorker } from './worker.ts'
