export type { InboxConnection } from './database.ts'
export {
  type Inbox,
  type InboxEntry,
  type InboxState,
  type InboxStats,
  postgresInbox,
} from './inbox.ts'
export { migrationOf } from './migration.ts'
export type { FailedAttempt, InboxContext, InboxOptions, InboxService } from './options.ts'
export type { InboxWorker } from './worker.ts'
