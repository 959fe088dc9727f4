import type { Rule } from '@webhook-receiver/core/internal'
import {
  creationLock,
  hasCode,
  named,
  quotedTable,
  tableName,
} from '@webhook-receiver/postgres/internal'
import type { Ask } from './database.ts'

/** The table where none is named. */
export const TABLE = 'webhook_inbox'

export const TABLE_NAME: Rule<string> = tableName(TABLE)

/** The tables of an inbox, quoted. */
export interface Tables {
  /** Every delivery with its content. A row is written once, and deleted when its retention is over. */
  readonly content: string
  /** What is to be handled, in small rows that change. */
  readonly open: string
  /** What is done or dead. */
  readonly ended: string
}

/** @throws TypeError for an invalid name. */
export function tablesOf(table: string): Tables {
  const content = quotedTable(table, TABLE_NAME)
  return { content, open: besides(content, 'open'), ended: besides(content, 'ended') }
}

/** The name of an object that belongs to a table. */
function besides(quoted: string, what: string): string {
  return `${quoted.slice(0, -1)}_${what}"`
}

/**
 * The number of the last step below. A release that changes the tables adds a step. Statements name their columns, and a step only adds
 * what has a default, so that the release before works on the same tables during a deploy.
 */
const VERSION = 1

interface Creation {
  readonly name: string
  /** The table that is locked meanwhile. */
  readonly on: string
  readonly sql: string
}

/** With the collation "C" texts are compared byte by byte, and an index outlives upgrades of the C library. */
function creationsOf(table: string): readonly Creation[] {
  const { content, open, ended } = tablesOf(table)
  const create = (name: string, columns: string, settings = '') => ({
    name,
    on: name,
    sql: `CREATE TABLE IF NOT EXISTS ${name} (\n  ${columns.split(', ').join(',\n  ')}\n)${settings};`,
  })
  // An index has the schema of its table.
  const index = (name: string, on: string, columns: string) => ({
    name: besides(on, name),
    on,
    sql: `CREATE INDEX IF NOT EXISTS ${besides(on, name).split('.').at(-1)} ON ${on} ${columns};`,
  })
  return [
    create(
      content,
      'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text COLLATE "C" NOT NULL UNIQUE, lane bigint, ' +
        'service text COLLATE "C" NOT NULL, event text, delivery_id text, trace text, ' +
        'received_at timestamptz NOT NULL DEFAULT now(), delivery text NOT NULL',
    ),
    // A row is short and changes often, so its table is kept clean, and keeps the pages that it has.
    create(
      open,
      'id bigint PRIMARY KEY, service text COLLATE "C" NOT NULL, lane bigint, due timestamptz, ' +
        'suspect boolean NOT NULL DEFAULT false, lease timestamptz, token text, ' +
        'attempts integer NOT NULL DEFAULT 0, deaths integer NOT NULL DEFAULT 0, error text',
      ' WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, vacuum_truncate = false)',
    ),
    create(
      ended,
      'id bigint PRIMARY KEY, service text COLLATE "C" NOT NULL, state text NOT NULL, ' +
        'attempts integer NOT NULL, deaths integer NOT NULL, error text, finished_at timestamptz NOT NULL',
    ),
    index('due', open, '(service, suspect, due)'),
    index('of', open, '(service, id)'),
    index('lane', open, '(lane, id) WHERE lane IS NOT NULL'),
    index('at', ended, '(finished_at)'),
    index('of', ended, '(service, id)'),
    index('dead', ended, "(service, id) WHERE state = 'dead'"),
  ]
}

const COMMENT = '@webhook-receiver/inbox, version '

const commentOn = (table: string) =>
  `COMMENT ON TABLE ${tablesOf(table).content} IS '${COMMENT}${VERSION}';`

/**
 * Returns the SQL that creates the tables of an inbox, for tools that run migrations. If you run it again, it changes nothing.
 *
 * @throws TypeError for an invalid name.
 */
export function migrationOf({ table = TABLE }: { readonly table?: string } = {}): string {
  const lines = [...creationsOf(table).map(({ sql }) => sql), commentOn(table)]
  return `${lines.join('\n')}\n`
}

/** $1 the tables and indexes as JSON, the first of them the table with the comment. */
const LOOK =
  named(`SELECT coalesce(obj_description(to_regclass($1::text::json ->> 0), 'pg_class'), '') AS comment,
  coalesce((SELECT json_agg(name) FROM json_array_elements_text($1::text::json) AS name WHERE to_regclass(name) IS NULL), '[]')::text AS missing`)

/**
 * $1 tables as JSON: of those that keep an index of one from being created, the one that began first. Its statement only up to the first
 * value, which may be private. A prepared transaction has no process.
 */
const HOLDER =
  named(`SELECT concat_ws(', ', coalesce('process ' || held.pid, 'a prepared transaction'), 'application ' || nullif(application_name, ''),
  'role ' || usename, state, 'in a transaction of ' || extract(epoch FROM now() - xact_start)::bigint || ' s', mode || ' on ' || relation::regclass,
  'statement ' || left(regexp_replace(query, '[''$].*', '…'), 100)) AS holder
FROM pg_locks AS held LEFT JOIN pg_stat_activity ON pg_stat_activity.pid = held.pid
WHERE granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND relation IN (SELECT to_regclass(name) FROM json_array_elements_text($1::text::json) AS name)
  AND mode NOT IN ('AccessShareLock', 'RowShareLock', 'ShareLock')
ORDER BY xact_start LIMIT 1`)

/**
 * Creates what is missing. Where nothing is, it only reads the catalogue: `CREATE INDEX IF NOT EXISTS` locks the table before it
 * looks, and behind a VACUUM it would hold up every INSERT.
 */
export async function setUp(ask: Ask, table: string): Promise<void> {
  const wanted = await missingOf(ask, table)
  if (wanted.length === 0) return
  // One statement, without the notices that a table is there. Whoever waits for another setup() holds up nobody, so that may take long.
  const body = `BEGIN PERFORM set_config('client_min_messages', 'warning', true);
PERFORM set_config('lock_timeout', '0', true);
PERFORM ${creationLock(tablesOf(table).content)};
PERFORM set_config('lock_timeout', '${LOCK_TIMEOUT}s', true);
${wanted.map(({ sql }) => sql).join('\n')}
END`
  try {
    // In quotes: of a body between dollar signs, Sequelize makes a parameter.
    await ask({ text: `DO '${body.replaceAll("'", "''")}'` })
  } catch (cause) {
    if (!hasCode(cause, LOCK_NOT_AVAILABLE)) throw cause
    // The setup() that this one waited for may have created everything.
    if ((await missingOf(ask, table)).length === 0) return
    const [found] = await ask(HOLDER, JSON.stringify(wanted.map(({ on }) => on)))
    const what = wanted.map(({ sql }) => sql.split(/ \(| IS /)[0]).join('; ')
    const holder = String(found?.holder ?? 'nobody any more').replaceAll(/\s+/g, ' ')
    throw new Error(
      `Something else holds a lock on the table ${table}, so nothing was created. Call setup() again later. It wanted to run: ${what}. Who holds the lock: ${holder}`,
      { cause },
    )
  }
}

/** What is missing of an inbox, in the order in which it has to be created. */
async function missingOf(ask: Ask, table: string): Promise<readonly Creation[]> {
  const creations = creationsOf(table)
  const [found] = await ask(LOOK, JSON.stringify(creations.map(({ name }) => name)))
  const missing = new Set<unknown>(JSON.parse(String(found?.missing)))
  const version = Number(String(found?.comment).split(COMMENT)[1] ?? 0)
  const { content } = tablesOf(table)
  const comment = { name: content, on: content, sql: commentOn(table) }
  return [
    ...creations.filter(({ name }) => missing.has(name)),
    ...(version < VERSION ? [comment] : []),
  ]
}

/** How long `setup` may make others wait, in seconds. */
const LOCK_TIMEOUT = 2

const LOCK_NOT_AVAILABLE = '55P03'
