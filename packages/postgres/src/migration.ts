import type { TableOption } from './options.ts'
import { createAsk, type Query } from './query.ts'
import { creationLock, quotedTable } from './table.ts'

/**
 * Returns the SQL that creates the table of the stores. If you run it again, it changes nothing.
 *
 * @throws TypeError for an invalid name.
 */
export function migrationOf({ table }: TableOption = {}): string {
  const quoted = quotedTable(table)
  // With the collation "C" keys are compared byte by byte, and an index outlives upgrades of the C library.
  return `CREATE TABLE IF NOT EXISTS ${quoted} (
  key text COLLATE "C" PRIMARY KEY,
  token text NOT NULL,
  done boolean NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS ${indexOf(quoted).split('.').at(-1)} ON ${quoted} (expires_at);
`
}

/** The index has the schema of its table. */
function indexOf(quoted: string): string {
  return `${quoted.slice(0, -1)}_expires_at"`
}

/**
 * Creates the table of the stores if it is missing. Several processes can call it at the same time. Where nothing is missing, it only reads
 * the catalogue: it waits for no transaction, and needs no right to create.
 *
 * @throws TypeError for an invalid name.
 */
export async function migrate(query: Query, options: TableOption = {}): Promise<void> {
  const table = quotedTable(options.table)
  // One statement, since a statement with values can be only one; without the notices that the table is there. CREATE INDEX IF NOT EXISTS
  // locks the table before it looks: it would wait for each handler in a transaction, and new deliveries for it.
  const statement = `DO $migration$ BEGIN
IF to_regclass('${table}') IS NULL OR to_regclass('${indexOf(table)}') IS NULL THEN
PERFORM set_config('client_min_messages', 'warning', true);
PERFORM ${creationLock(table)};
${migrationOf(options)}END IF;
END $migration$`
  await createAsk(table)(query, { text: statement }, [])
}
