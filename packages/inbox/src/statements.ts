import { OPEN, quoted } from './migration.ts'

/** How many keys of an order one claim looks at, so that each claim is short. */
const LANES = 1000

type Name =
  | 'add'
  | 'claim'
  | 'hold'
  | 'end'
  | 'disconnect'
  | 'list'
  | 'show'
  | 'stats'
  | 'retry'
  | 'sweep'

export type Statements = Readonly<Record<Name, string>>

/** Every statement of an inbox, for one table. */
export function statementsFor(name: string): Statements {
  const table = quoted(name)
  const own = "id = $1::bigint AND token = $2::text AND state = 'running'"
  const wanted = `${OPEN} AND due <= now() AND service IN (SELECT jsonb_array_elements_text($1::text::jsonb))`
  const entry = `json_strip_nulls(json_build_object('id', id::text, 'service', service, 'event', event,
  'deliveryId', delivery_id, 'key', key, 'state', state, 'attempts', attempts, 'error', error,
  'receivedAt', received_at, 'due', CASE state WHEN 'waiting' THEN due END, 'finishedAt', finished_at))::text AS entry`
  const head = (where: string) => `SELECT id, lane FROM ${table}
    WHERE lane IS NOT NULL AND ${OPEN} AND ${where} ORDER BY lane, id LIMIT 1`

  return {
    // $1 key, $2 key of the order or '', $3 service, $4 event or '', $5 id or '', $6 delivery. A duplicate changes nothing.
    add: `INSERT INTO ${table} (key, lane, service, event, delivery_id, delivery)
SELECT $1::text, hashtextextended(nullif($2::text, ''), 0), $3::text, nullif($4::text, ''), nullif($5::text, ''), $6::text
ON CONFLICT (key) DO NOTHING RETURNING id`,

    // $1 services as JSON, $2 the lane to begin at, $3 how many, $4 seconds, $5 token. The index is read from lane to lane, and of each
    // only the first is looked at, whatever waits behind it. What a killed worker began is due again when its claim runs out.
    // A claim that is lost does no harm, so nobody waits until it is on the disk.
    claim: `WITH RECURSIVE heads AS (
  (SELECT first.*, 1 AS position FROM (${head('lane >= $2::bigint')}) AS first)
  UNION ALL
  SELECT next.*, position + 1 FROM heads CROSS JOIN LATERAL (${head('lane > heads.lane')}) AS next WHERE position < ${LANES}
), ordered AS (
  SELECT kept.id FROM heads CROSS JOIN LATERAL (
    SELECT id FROM ${table} AS head WHERE head.id = heads.id AND ${wanted} FOR UPDATE SKIP LOCKED
  ) AS kept LIMIT $3::integer
), unordered AS (
  SELECT id FROM ${table} WHERE lane IS NULL AND ${wanted} ORDER BY due LIMIT $3::integer FOR UPDATE SKIP LOCKED
)
UPDATE ${table} AS kept
SET state = 'running', attempts = attempts + 1, due = now() + ${seconds('$4')}, token = $5::text
FROM (SELECT id FROM (TABLE ordered UNION ALL TABLE unordered) AS found ORDER BY random() LIMIT $3::integer) AS chosen,
  (SELECT set_config('synchronous_commit', 'off', true)) AS quick
WHERE kept.id = chosen.id
RETURNING kept.id::text, token, service, key, attempts AS attempt, error, delivery`,

    // $1 id, $2 token. Both locks end with the transaction of the handler: a worker that is slow keeps its delivery and its lane, and
    // one that was killed does not. Nothing is returned if the claim is lost.
    hold: `SELECT pg_backend_pid() AS backend, ${start('now()')} AS since FROM ${table}
WHERE ${own} AND (lane IS NULL OR pg_try_advisory_xact_lock(lane)) FOR UPDATE SKIP LOCKED`,

    // $1 id, $2 token, $3 state, $4 error or '', $5 seconds to wait, $6 attempts that do not count, $7 the transaction's start or ''.
    end: `UPDATE ${table} SET state = $3::text, error = coalesce(nullif($4::text, ''), error), due = now() + ${seconds('$5')},
  attempts = attempts - $6::integer, finished_at = CASE WHEN $3::text <> 'waiting' THEN clock_timestamp() END
WHERE ${own} AND $7::text IN ('', ${start('now()')}) RETURNING id`,

    // $1 backend, $2 start of its transaction.
    disconnect: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1::integer AND ${start('xact_start')} = $2::text`,

    // $1 state or '', $2 service or '', $3 below which id or '', $4 how many.
    list: `SELECT ${entry} FROM ${table} AS kept
WHERE ($1::text = '' OR state = $1::text) AND ($2::text = '' OR service = $2::text)
  AND ($3::text = '' OR id < nullif($3::text, '')::bigint)
ORDER BY kept.id DESC LIMIT $4::integer`,

    show: `SELECT ${entry}, delivery FROM ${table} WHERE id = $1::bigint`,

    stats: `SELECT json_build_object('service', service, 'waiting', count(*) FILTER (WHERE state = 'waiting'),
  'running', count(*) FILTER (WHERE state = 'running'), 'dead', count(*) FILTER (WHERE state = 'dead'),
  'oldestDue', greatest(0, coalesce(extract(epoch FROM now() - min(due) FILTER (WHERE state = 'waiting')), 0)))::text AS entry
FROM ${table} WHERE state <> 'done' GROUP BY service`,

    retry: `UPDATE ${table} SET state = 'waiting', attempts = 0, due = now(), finished_at = NULL
WHERE id = $1::bigint AND state IN ('dead', 'done') RETURNING id`,

    // $1 seconds for which handled deliveries are kept, $2 dead letters, $3 how many at most.
    sweep: `DELETE FROM ${table} WHERE id IN (
  SELECT id FROM ${table} WHERE finished_at < now() - ${seconds('least($1, $2)')}
    AND finished_at < now() - ${seconds("CASE state WHEN 'done' THEN $1 ELSE $2 END")}
  ORDER BY finished_at LIMIT $3::integer FOR UPDATE SKIP LOCKED
) RETURNING id`,
  }
}

/** What tells a transaction from others of its backend, whatever the time zone is set to. */
function start(time: string): string {
  return `extract(epoch FROM ${time})::text`
}

function seconds(value: string): string {
  return `make_interval(secs => ${value.replace(/\$\d/g, '$&::float8')})`
}
