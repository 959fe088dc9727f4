import {
  checkOptions,
  type OptionTable,
  RETENTION,
  type Rule,
  rule,
} from '@webhook-receiver/core/options'
import type { SqliteDatabase } from './database.ts'
import { TABLE, TABLE_NAME } from './table.ts'

/** The options of the store. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface SqliteStoreOptions extends CommonOptions {
  /** A connection to the database, such as `new DatabaseSync('webhooks.db')`. Anything else is a TypeError. */
  readonly database: SqliteDatabase
}

/** The options of the store. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface SqliteTransactionalStoreOptions<Database extends SqliteDatabase>
  extends CommonOptions {
  /**
   * A connection that only this store and its handlers use, such as `new DatabaseSync('webhooks.db')`. If other code
   * writes with it while a handler runs, that is part of the handler's transaction. Any other value is a TypeError.
   */
  readonly database: Database
}

interface CommonOptions {
  /**
   * The name of the table. Anything but letters, digits and underscores is a TypeError.
   * @default 'webhook_deliveries'
   */
  readonly table?: string | undefined
  /**
   * How long a done mark is kept, in seconds. Anything but a number above 0 is a TypeError.
   * @default 259_200
   */
  readonly retention?: number | undefined
  /**
   * How long to wait while another connection writes, in seconds. After that the answer is 503. Keep it below the
   * `storeTimeout` of the handler. Anything but a number above 0 is a TypeError.
   * @default 1.5
   */
  readonly busyTimeout?: number | undefined
}

/** The options with every default in its place. */
export interface ResolvedOptions<Database extends SqliteDatabase> {
  readonly database: Database
  readonly table: string
  readonly retention: number
  readonly busyTimeout: number
}

/** The defaults, in the unit of the options: 72 hours for `retention`. */
export const DEFAULTS = { retention: 259_200, busyTimeout: 1.5 } as const

const DATABASE: Rule<SqliteDatabase> = rule(
  "a connection of node:sqlite or better-sqlite3, such as new DatabaseSync('webhooks.db')",
  (value) => {
    const { exec, prepare } = Object(value)
    return typeof exec === 'function' && typeof prepare === 'function'
  },
)

const OPTIONS = {
  database: [DATABASE],
  table: [TABLE_NAME, TABLE],
  retention: [RETENTION, DEFAULTS.retention],
  busyTimeout: [RETENTION, DEFAULTS.busyTimeout],
} as const satisfies { readonly [Name in keyof Required<SqliteStoreOptions>]: OptionTable[string] }

/**
 * Checks the options of a store and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions<Database extends SqliteDatabase>(
  options: CommonOptions & { readonly database: Database },
): ResolvedOptions<Database> {
  const example = "{ database: new DatabaseSync('webhooks.db') }"
  return { ...checkOptions(options, OPTIONS, example), database: options.database }
}
