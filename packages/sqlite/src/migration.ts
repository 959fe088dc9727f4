import { checkValue } from '@webhook-receiver/core/store'
import type { SqliteDatabase } from './database.ts'
import { inTurn, whileBusy } from './lock.ts'
import { TABLE, TABLE_NAME, type TableOption } from './options.ts'

/** How long to wait for other connections, in milliseconds. */
const PATIENCE = 30_000

/**
 * Returns the SQL that creates the table of the stores. If you run it again, it changes nothing.
 *
 * @throws TypeError for an invalid name.
 */
export function migrationOf({ table = TABLE }: TableOption = {}): string {
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
export async function migrate(database: SqliteDatabase, options: TableOption = {}): Promise<void> {
  const sql = migrationOf(options)
  const end = performance.now() + PATIENCE
  await inTurn(database, async () => {
    // The change needs the database for itself, and SQLite does not wait for it. Afterwards it does nothing.
    await whileBusy(database, end, () => database.exec('PRAGMA journal_mode = WAL'))
    await whileBusy(database, end, () => database.exec(sql))
  })
}
