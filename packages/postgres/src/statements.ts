/** A statement of the stores. Most deliveries need those with a name, so a client should prepare them. */
export interface Statement {
  readonly text: string
  readonly name?: string
  /** The same without rows, for a client that says how many it has changed: rows take it longer. */
  readonly counted?: Statement
}

/** What a statement that finds nothing to end casts to a number: so it fails, and PostgreSQL says why. */
export const ENDED = 'The handler ended its transaction.'

/** Ends the transaction of a handler that was abandoned, also one that failed, in which nothing else would run. */
export const ROLLBACK: Statement = { text: 'ROLLBACK' }

/** Lasts until the transaction ends, even if the handler uses savepoints of its own. */
export const SAVEPOINT = 'SAVEPOINT webhook_receiver'

/** Ends the connection that sends it. */
export const DISCONNECT: Statement = { text: 'SELECT pg_terminate_backend(pg_backend_pid())' }

/** Every statement of the stores, for one table. `clock_timestamp()` is the time at which a lock was got. */
export interface Statements {
  /** $1 key, $2 token, $3 lease. */
  readonly claim: Statement
  /** $1 key: what stands in the way of a claim. */
  readonly claimed: Statement
  /** $1 key, $2 token. */
  readonly complete: Statement
  /** $1 key, $2 token. */
  readonly release: Statement
  /** $1 key, $2 token, $3 lease. */
  readonly extend: Statement
  /** $1 key. Returns the token of the mark, which names the transaction. */
  readonly mark: Statement
  /** $1 key, $2 token. As `mark`, for a client that says how many rows it has changed: a row takes it longer. */
  readonly markAs: Statement
  /** $1 key: what stands in the way of a mark. */
  readonly unmarked: Statement
  /** $1 token of the mark. Fails in another transaction than that of the mark, so that COMMIT can be under way already. */
  readonly marked: Statement
  /** $1 token of a mark: ends the connection whose transaction it is. */
  readonly disconnectOwner: Statement
  /** $1 key. */
  readonly forget: Statement
  /** $1 key, $2 token of a mark. */
  readonly unmark: Statement
  /** $1 any number of keys, as JSON. */
  readonly committed: Statement
  /** $1 how many at most. */
  readonly sweep: Statement
}

/** @param retention how long a done mark is kept, in seconds. It is part of the texts: each value takes PostgreSQL longer. */
export function statementsFor(table: string, retention: number): Statements {
  const kept = after(String(retention))
  const own = `key = $1::text AND token = $2::text AND expires_at > clock_timestamp()`

  // Without the lock a duplicate would wait in its INSERT until the first transaction is over.
  const locked = `pg_try_advisory_xact_lock(hashtextextended('${table}:' || $1::text, 0))`
  const mark = (token: string) => `INSERT INTO ${table} AS kept (key, token, done, expires_at)
SELECT $1::text, ${token}, true, ${kept} WHERE ${locked}
  AND pg_try_advisory_xact_lock_shared(${lockOf(token)})
ON CONFLICT (key) DO UPDATE SET token = excluded.token, done = true, expires_at = ${kept}
  WHERE kept.expires_at <= clock_timestamp()`
  const obstacle = (free: string) => `SELECT CASE
    WHEN kept.done THEN 'done'
    WHEN NOT kept.done THEN 'in_progress'
    ELSE ${free}
  END AS status, ${remaining}
FROM (VALUES (1)) AS one LEFT JOIN ${table} AS kept
  ON kept.key = $1::text AND kept.expires_at > clock_timestamp()`

  return {
    claim: returningKey(`INSERT INTO ${table} AS kept (key, token, done, expires_at)
VALUES ($1::text, $2::text, false, ${after('$3')})
ON CONFLICT (key) DO UPDATE SET token = excluded.token, done = false, expires_at = ${after('$3')}
  WHERE kept.expires_at <= clock_timestamp() OR (kept.token = excluded.token AND NOT kept.done)`),

    claimed: named(obstacle("'again'")),

    complete: returningKey(`UPDATE ${table} SET done = true, expires_at = ${kept}
WHERE ${own}`),

    release: named(`DELETE FROM ${table} WHERE ${own} AND NOT done RETURNING key`),

    extend: named(`UPDATE ${table} SET expires_at = ${after('$3')}
WHERE ${own} AND NOT done RETURNING key`),

    mark: named(`${mark(transaction)} RETURNING key, token`),

    markAs: named(mark('$2::text')),

    unmarked: named(obstacle(`CASE WHEN ${locked} THEN 'again' ELSE 'in_progress' END`)),

    // The log of PostgreSQL shows the text as an invalid integer. It has no row, which would only be read.
    marked:
      named(`SELECT 1 AS marks WHERE (CASE WHEN $1::text = 'transaction:' || pg_current_xact_id_if_assigned()::text
  THEN '1' ELSE '${ENDED}' END)::integer = 0`),

    // By a lock of the transaction and not by the process, which may have another client by now, nor by the key, which the next copy may have.
    disconnectOwner: {
      text: `SELECT pg_terminate_backend(pid) FROM pg_locks
WHERE locktype = 'advisory' AND granted AND objsubid = 1
  AND ((classid::bigint << 32) | objid::bigint) = ${lockOf('$1::text')}`,
    },

    forget: {
      text: `DELETE FROM ${table}
WHERE key = $1::text AND done AND expires_at > clock_timestamp() RETURNING key`,
    },

    unmark: {
      text: `DELETE FROM ${table} WHERE key = $1::text AND token = $2::text AND done RETURNING key`,
    },

    // By way of text: of a parameter that is JSON, some clients make JSON again. Without a name, so that each is planned for the rows that are
    // there: a plan that was made for a few of them reads the whole table, also when it has grown.
    committed: {
      text: `SELECT key, token FROM ${table}
WHERE done AND key = ANY (ARRAY(SELECT json_array_elements_text($1::text::json)))`,
    },

    // now() and not clock_timestamp(), so that the index is used.
    sweep: {
      text: `DELETE FROM ${table} WHERE key = ANY (ARRAY(
  SELECT key FROM ${table} WHERE expires_at < now()
  ORDER BY expires_at LIMIT $1::integer FOR UPDATE SKIP LOCKED
))`,
    },
  }
}

/** A statement that clients should prepare. */
export function named(text: string): Statement {
  return { text, name: `webhook_receiver_${hashOf(text)}` }
}

function returningKey(text: string): Statement {
  return { ...named(`${text} RETURNING key`), counted: named(text) }
}

/** FNV-1a with 64 bits: behind a pooler, a name must never stand for another text. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const character of text) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.charCodeAt(0))) * 0x100000001b3n)
  }
  return hash.toString(36)
}

function after(seconds: string): string {
  return `clock_timestamp() + ${seconds}::double precision * interval '1 second'`
}

/** The lock that tells the transaction of a mark from others. */
function lockOf(token: string): string {
  return `hashtextextended(${token}, 0)`
}

/** The token of a mark: the transaction in which it was made, which is the same in every savepoint. */
const transaction = "'transaction:' || pg_current_xact_id()::text"

/** A second where nobody knows, as of a transaction that is not committed. */
const remaining =
  'coalesce(extract(epoch FROM kept.expires_at - clock_timestamp()), 1)::double precision AS remaining'
