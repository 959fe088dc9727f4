import { checkValue, type Rule, rule } from '@webhook-receiver/core/internal'

/** The table where none is named. */
export const TABLE = 'webhook_inbox'

/** PostgreSQL cuts names at 63 bytes; this leaves room for the names of the indexes. */
const NAME = /^[A-Za-z_]\w{0,49}$/

export const TABLE_NAME: Rule<string> = rule(
  `a name of letters, digits and underscores, at most 50 long, such as '${TABLE}' or 'myschema.${TABLE}'`,
  (value) => typeof value === 'string' && isName(value.split('.')),
)

function isName(names: readonly string[]): boolean {
  return names.length <= 2 && names.every((name) => NAME.test(name))
}

export function quoted(table: string): string {
  return `"${checkValue('table', table, TABLE_NAME).replace('.', '"."')}"`
}

/** What has to be handled, or is being handled. */
export const OPEN = "state IN ('waiting', 'running')"

/**
 * Returns the SQL that creates the table of an inbox, for tools that run migrations. If you run it again, it changes nothing.
 *
 * @throws TypeError for an invalid name.
 */
export function migrationOf({ table = TABLE }: { readonly table?: string } = {}): string {
  const index = (name: string) =>
    `INDEX IF NOT EXISTS "${table.split('.').at(-1)}_${name}" ON ${quoted(table)}`
  // With the collation "C" keys are compared byte by byte. Each index has only the rows that somebody looks for.
  return `CREATE TABLE IF NOT EXISTS ${quoted(table)} (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE,
  lane bigint,
  service text NOT NULL,
  event text,
  delivery_id text,
  state text NOT NULL DEFAULT 'waiting',
  attempts integer NOT NULL DEFAULT 0,
  due timestamptz NOT NULL DEFAULT now(),
  token text,
  error text,
  received_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  delivery text NOT NULL
);
CREATE ${index('lanes')} (lane, id) WHERE lane IS NOT NULL AND ${OPEN};
CREATE ${index('due')} (due) WHERE lane IS NULL AND ${OPEN};
CREATE ${index('dead')} (id) WHERE state = 'dead';
CREATE ${index('finished')} (finished_at) WHERE finished_at IS NOT NULL;
`
}
