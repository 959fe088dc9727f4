/** Every statement of the stores, for one table. `clock_timestamp()` is the time at which a lock was got. */
export interface Statements {
  /** $1 key, $2 token, $3 lease. */
  readonly claim: string
  /** $1 key, $2 token, $3 retention. */
  readonly complete: string
  /** $1 key, $2 token. */
  readonly release: string
  /** $1 key, $2 token, $3 lease. */
  readonly extend: string
  /** $1 key, $2 retention. */
  readonly mark: string
  /** $1 key. */
  readonly marked: string
  /** Ends the connection that sends it. */
  readonly disconnect: string
  /** $1 token of a mark: ends the connection whose transaction it is. */
  readonly disconnectOwner: string
  /** $1 key. */
  readonly forget: string
  /** $1 any number of keys, as JSON. */
  readonly committed: string
  /** $1 how many at most. */
  readonly sweep: string
}

export function statementsFor(table: string): Statements {
  const own = `key = $1::text AND token = $2::text AND expires_at > clock_timestamp()`

  return {
    // The claim sees rows that were committed since it began; the SELECT does not, so it returns 'again'.
    claim: `WITH claimed AS (
  INSERT INTO ${table} AS kept (key, token, done, expires_at)
  VALUES ($1::text, $2::text, false, ${after('$3')})
  ON CONFLICT (key) DO UPDATE
    SET token = excluded.token, done = false, expires_at = ${after('$3')}
    WHERE kept.expires_at <= clock_timestamp() OR (kept.token = excluded.token AND NOT kept.done)
  RETURNING key
)
SELECT CASE
    WHEN EXISTS (SELECT FROM claimed) THEN 'claimed'
    WHEN kept.done THEN 'done'
    WHEN NOT kept.done THEN 'in_progress'
    ELSE 'again'
  END AS status, ${remaining}
FROM (VALUES (1)) AS one LEFT JOIN ${table} AS kept
  ON kept.key = $1::text AND kept.expires_at > clock_timestamp()`,

    complete: `UPDATE ${table} SET done = true, expires_at = ${after('$3')}
WHERE ${own} RETURNING key`,

    release: `DELETE FROM ${table} WHERE ${own} AND NOT done RETURNING key`,

    extend: `UPDATE ${table} SET expires_at = ${after('$3')}
WHERE ${own} AND NOT done RETURNING key`,

    // Without the lock a duplicate would wait in its INSERT until the first transaction is over.
    mark: `WITH lock AS MATERIALIZED (
  SELECT pg_try_advisory_xact_lock(hashtextextended('${table}:' || $1::text, 0)) AS held
), marked AS (
  INSERT INTO ${table} AS kept (key, token, done, expires_at)
  SELECT $1::text, ${transaction}, true, ${after('$2')} FROM lock WHERE held
  ON CONFLICT (key) DO UPDATE
    SET token = excluded.token, done = true, expires_at = ${after('$2')}
    WHERE kept.expires_at <= clock_timestamp()
  RETURNING token
)
SELECT (SELECT token FROM marked) AS token, CASE
    WHEN EXISTS (SELECT FROM marked) THEN 'claimed'
    WHEN kept.done THEN 'done'
    WHEN NOT kept.done OR NOT lock.held THEN 'in_progress'
    ELSE 'again'
  END AS status, ${remaining}
FROM lock LEFT JOIN ${table} AS kept
  ON kept.key = $1::text AND kept.expires_at > clock_timestamp()`,

    marked: `SELECT key, token FROM ${table}
WHERE key = $1::text AND done AND token = ${transaction}`,

    disconnect: 'SELECT pg_terminate_backend(pg_backend_pid())',

    // By the transaction and not by the process, which may have another client by now.
    disconnectOwner: `SELECT pg_terminate_backend(pid) FROM pg_locks
WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted
  AND transactionid = split_part($1::text, ':', 2)::xid8::xid`,

    forget: `DELETE FROM ${table}
WHERE key = $1::text AND done AND expires_at > clock_timestamp() RETURNING key`,

    // By way of text: of a parameter that is JSON, some clients make JSON again.
    committed: `SELECT key, token FROM ${table}
WHERE done AND key = ANY (ARRAY(SELECT json_array_elements_text($1::text::json)))`,

    // now() and not clock_timestamp(), so that the index is used.
    sweep: `DELETE FROM ${table} WHERE key = ANY (ARRAY(
  SELECT key FROM ${table} WHERE expires_at < now()
  ORDER BY expires_at LIMIT $1::integer FOR UPDATE SKIP LOCKED
))`,
  }
}

function after(seconds: string): string {
  return `clock_timestamp() + ${seconds}::double precision * interval '1 second'`
}

/** The token of a mark: the transaction in which it was made, which is the same in every savepoint. */
const transaction = "'transaction:' || pg_current_xact_id()::text"

/** A second where nobody knows, as of a transaction that is not committed. */
const remaining =
  'coalesce(extract(epoch FROM kept.expires_at - clock_timestamp()), 1)::double precision AS remaining'
