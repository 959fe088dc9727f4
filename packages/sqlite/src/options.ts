import {
  checkStoreOptions,
  RETENTION,
  type Resolved,
  type Rule,
  rule,
  type StoreOptions,
  type StoreOptionTable,
  stringRule,
} from '@webhook-receiver/core/store'
import type { SqliteDatabase } from './database.ts'

export interface TableOption {
  /**
   * The name of the table. Anything but letters, digits and underscores is a TypeError.
   * @default 'webhook_deliveries'
   */
  readonly table?: string | undefined
}

/** The table where none is named. */
export const TABLE = 'webhook_deliveries'

/** A name that can be quoted without escapes. SQLite keeps the names that begin with `sqlite_` for itself. */
export const TABLE_NAME: Rule<string> = stringRule(
  `a name of letters, digits and underscores, such as '${TABLE}'`,
  /^(?!sqlite_)[a-z_]\w*$/i,
)

/** The options of both stores. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface SqliteStoreOptions<Database extends SqliteDatabase = SqliteDatabase>
  extends StoreOptions,
    TableOption {
  /**
   * A connection to the database, such as `new DatabaseSync('webhooks.db')`. Give a transactional store a separate connection:
   * what other code writes with it while a handler runs is part of the handler's transaction. Any other value is a TypeError.
   */
  readonly database: Database
  /**
   * How long to wait while another connection writes, in seconds. After that the response is 503. Keep it below the
   * `storeTimeout` of the handler. Anything but a number above 0 is a TypeError.
   * @default 1.5
   */
  readonly busyTimeout?: number | undefined
}

const OPTIONS: StoreOptionTable<SqliteStoreOptions> = {
  database: [
    rule(
      "a connection of node:sqlite or better-sqlite3, such as new DatabaseSync('webhooks.db')",
      (value) => {
        const { exec, prepare } = Object(value)
        return typeof exec === 'function' && typeof prepare === 'function'
      },
    ),
  ],
  table: [TABLE_NAME, TABLE],
  busyTimeout: [RETENTION, 1.5],
}

/**
 * Checks the options of a store and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): Resolved<SqliteStoreOptions> {
  return checkStoreOptions(options, OPTIONS, "{ database: new DatabaseSync('webhooks.db') }")
}
