import { checkValue } from '@webhook-receiver/core/options'
import type { SqliteDatabase } from './database.ts'
import { inTurn, whileBusy } from './lock.ts'
import { TABLE, TABLE_NAME } from './table.ts'

/** How long to wait for other connections, in milliseconds. */
const PATIENCE = 30_000

export interface MigrationOptions {
  /**
   * The name of the table.
   * @default 'webhook_deliveries'
   */
  readonly table?: string | undefined
}

/** The SQL that creates the table of the stores. If you run it again, it changes nothing. */
export const MIGRATION: string = migrationOf()

/**
 * Returns the SQL for a table with another name.
 *
 * @throws TypeError for an invalid name.
 */
export function migrationOf({ table = TABLE }: MigrationOptions = {}): string {
  const name = checkValue('table', table, TABLE_NAME)
  return `CREATE TABLE IF NOT EXISTS "${name}" (
  key TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  done INTEGER NOT NULL,
  expires_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS "${name}_expires_at" ON "${name}" (expires_at);
`
}

/**
 * Creates the table of the stores if it is missing, and sets the database to WAL. Several processes can call it at the
 * same time.
 *
 * @throws TypeError for an invalid name.
 */
export async function migrate(
  database: SqliteDatabase,
  options: MigrationOptions = {},
): Promise<void> {
  const sql = migrationOf(options)
  const end = performance.now() + PATIENCE
  await inTurn(database, async () => {
    // The change needs the database for itself, and SQLite does not wait for it. Afterwards it does nothing.
    await whileBusy(database, end, () => database.exec('PRAGMA journal_mode = WAL'))
    await whileBusy(database, end, () => database.exec(sql))
  })
}
