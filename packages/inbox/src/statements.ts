import { ENDED, named, type Statement } from '@webhook-receiver/postgres/internal'
import { tablesOf } from './schema.ts'

type Name =
  | 'add'
  | 'claim'
  | 'take'
  | 'hold'
  | 'again'
  | 'alive'
  | 'seal'
  | 'end'
  | 'next'
  | 'endNext'
  | 'follow'
  | 'disconnect'
  | 'list'
  | 'show'
  | 'stats'
  | 'strangers'
  | 'retry'
  | 'sweep'
  | 'page'
  | 'seize'
  | 'forget'

/** The most deliveries of one service that one look finds. */
export const LOOK = 50

export type Statements = Readonly<Record<Name, Statement>>

/**
 * Every statement of an inbox with so many services.
 *
 * A delivery is open until it is done or dead. Open deliveries with a key of the order share a `lane`, and the one with the lowest id
 * is its head. Only what has a `due` can be claimed. Whoever finds an older one in the lane stores without `due`, and is woken by the
 * one that ends. So that none sleeps forever:
 *
 * - Who goes to sleep locks an older one FOR KEY SHARE, which does not wait for its handler (that holds FOR NO KEY UPDATE), and none
 *   that is about to end. If there is none to lock, it stays awake, and a claim finds out later that it has to wait.
 * - Who ends takes the lane's advisory lock, then locks its own row FOR UPDATE (`seal`), which waits until those who lock it have
 *   committed, and only then, in another statement, looks for the one to wake (`end`).
 */
export function statementsFor(table: string, services: number): Statements {
  const tables = tablesOf(table)
  return { ...ofWork(tables, services), ...ofOperators(tables) }
}

type Tables = ReturnType<typeof tablesOf>

const own = 'id = $1::bigint AND token = $2::text AND lease IS NOT NULL'

/** The lock of the lane of `kept` in its table, which is the same by whatever name the table is found. */
const laneLock = 'hashtextextended(kept.lane::text, kept.tableoid::bigint)'

/** Takes the lock of the lane of `kept`, if there is one and nobody has it, or waits for it. */
const laneFree = (waits: string) =>
  `(kept.lane IS NULL OR CASE WHEN ${waits} THEN pg_advisory_xact_lock(${laneLock}) IS NOT NULL
  ELSE pg_try_advisory_xact_lock(${laneLock}) END)`

/** An older one of the lane, which cannot end before this transaction does. */
const elder = (
  { open }: Tables,
  row: string,
  older: string,
) => `SELECT elder.id FROM ${open} AS elder
    WHERE elder.lane = ${row}.lane${older} ORDER BY elder.id LIMIT 1 FOR KEY SHARE SKIP LOCKED`

function ofWork(tables: Tables, services: number) {
  const { content, open, ended } = tables
  /** The services and how many of each, as values from this one on. */
  const wanted = (first: number) =>
    Array.from(
      { length: services },
      (_, at) => `($${first + 2 * at}::text, $${first + 1 + 2 * at}::integer)`,
    ).join(', ')
  // Also before the first ANALYZE, the planner has to expect that more rows pass the conditions than it needs: otherwise it sorts all that
  // are due. Of `<>` it expects that nearly all pass.
  const due = (suspect: string, most: string) => `SELECT * FROM (
      SELECT id, lane, CASE WHEN lease IS NULL THEN 'runs' WHEN lease = date_trunc('second', lease) THEN 'died' ELSE 'doubted' END AS claim, suspect, due FROM ${open}
      WHERE service = wanted.service AND ${suspect} AND due <= now() AND CASE WHEN lease > now() THEN 1 ELSE 0 END <> 1
      ORDER BY due LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED
    ) AS first LIMIT ${LOOK}`
  const held = (
    timeout: string,
  ) => `pg_backend_pid() AS backend, ${start('now()')} AS since, kept.lane::text AS lane,
  current_setting('transaction_isolation') AS isolation,
  set_config('idle_in_transaction_session_timeout', ${timeout}::text, true) AS idle,
  CASE current_setting('statement_timeout') WHEN '0' THEN set_config('statement_timeout', ${timeout}::text, true) END AS statement`
  const over = `over AS (
  DELETE FROM ${open} WHERE ${own} AND $6::text = ${start('now()')} RETURNING id, service, lane, attempts, deaths
)`
  const moved = `INSERT INTO ${ended} (id, service, state, attempts, deaths, error, finished_at)
SELECT coalesce(id::text, '${ENDED}')::bigint, service, $3::text, attempts, deaths + $5::integer, nullif($4::text, ''), clock_timestamp()
FROM (VALUES (1)) AS one LEFT JOIN over ON true RETURNING id::text`
  // The setting tells the id to `follow`, which is sent before this has returned.
  const next = (first: number) => `UPDATE ${open} AS kept
SET lease = statement_timestamp() + ${seconds(`$${first + 1}`)}, token = $${first + 2}::text, attempts = attempts + 1
WHERE id = (
  SELECT found.id FROM (VALUES ${wanted(first + 4)}) AS wanted (service, most) CROSS JOIN LATERAL (
    SELECT id FROM ${open} AS first
    WHERE service = wanted.service AND NOT suspect AND due >= to_timestamp($${first + 3}::float8) AND due <= statement_timestamp()
      AND CASE WHEN lease IS NULL THEN 1 ELSE 0 END <> 0
      AND (lane IS NULL OR NOT EXISTS (SELECT FROM ${open} AS older WHERE older.lane = first.lane AND older.id < first.id))
    ORDER BY due LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  ) AS found WHERE wanted.most > 0 AND $${first}::text = ${start('now()')}${services > 1 ? ' ORDER BY random()' : ''} LIMIT 1
)
RETURNING id::text, token, set_config('webhook_receiver.claimed', id::text, false) AS claimed`
  const columns = `kept.id::text, kept.token, kept.service, kept.attempts AS attempt, kept.deaths, kept.error,
  content.key, content.trace, content.delivery, extract(epoch FROM content.received_at)::text AS received`

  return {
    // $1 deliveries as JSON, in their order. A duplicate changes nothing. Of those that share a lane the first may be awake.
    add: named(`WITH given AS (
  SELECT key, hashtextextended(nullif(lane, ''), 0) AS lane, service, nullif(event, '') AS event, nullif(id, '') AS id, nullif(trace, '') AS trace, delivery
  FROM json_to_recordset($1::text::json) AS given (key text, lane text, service text, event text, id text, trace text, delivery text)
), stored AS (
  INSERT INTO ${content} (key, lane, service, event, delivery_id, trace, delivery) TABLE given
  ON CONFLICT (key) DO NOTHING RETURNING id, service, lane
), placed AS (
  SELECT *, row_number() OVER (PARTITION BY lane ORDER BY id) AS place FROM stored
)
INSERT INTO ${open} (id, service, lane, due)
SELECT placed.id, service, lane, CASE WHEN lane IS NULL OR place = 1 AND elder.id IS NULL THEN clock_timestamp() END
FROM placed LEFT JOIN LATERAL (${elder(tables, 'placed', '')}) AS elder ON true
RETURNING id::text`),

    // $1 how many, $2 seconds of the lease, $3 token, $4 seconds for which a suspect is reserved, $5 how many more to look at, then for each service
    // its name and how many. An idle look reads two entries of an index for each. A claim that is lost does
    // no harm, so nobody waits until it is on the disk. What is behind another in its lane is put to sleep. Suspects run
    // alone, so they are reserved and not run. A lease that has run out means that the process ended, or that a handler has just failed: between its
    // roll-back and the record of that, nothing holds the row. So whoever finds it lets it run on to a whole second, by which the next one to
    // find it knows that there was time for the record. Of the array, and of a limit that is a constant, the planner knows how small they are.
    // Otherwise it expects a tenth of the table, so it reads all of it, or spends seconds on compiling.
    claim: named(`WITH wanted (service, most) AS (VALUES ${wanted(6)}),
due AS MATERIALIZED (
  SELECT found.* FROM wanted CROSS JOIN LATERAL (${due('NOT suspect', 'wanted.most + $5::integer')}) AS found WHERE wanted.most > 0
  UNION ALL
  SELECT found.* FROM wanted CROSS JOIN LATERAL (${due('suspect', '1')}) AS found WHERE wanted.most > 0
), placed AS MATERIALIZED (
  SELECT due.*, elder.id IS NOT NULL AS sleeps,
    EXISTS (SELECT FROM ${open} AS older WHERE older.lane = due.lane AND older.id < due.id) AS behind
  FROM due LEFT JOIN LATERAL (${elder(tables, 'due', ' AND elder.id < due.id')}) AS elder ON true
), chosen AS (
  SELECT id, CASE WHEN sleeps THEN 'sleeps' ELSE claim END AS claim FROM placed WHERE sleeps OR claim = 'doubted'
  UNION ALL
  (SELECT id, claim FROM placed WHERE NOT behind AND (claim = 'died' OR claim = 'runs' AND NOT suspect) ORDER BY random() LIMIT $1::integer)
  UNION ALL
  (SELECT id, 'reserved' FROM placed WHERE NOT behind AND claim = 'runs' AND suspect ORDER BY random() LIMIT 1)
), claimed AS (
  UPDATE ${open} AS kept SET
    due = CASE chosen.claim WHEN 'sleeps' THEN NULL WHEN 'reserved' THEN now() + ${seconds('$4')} ELSE due END,
    lease = CASE WHEN chosen.claim IN ('runs', 'died') THEN now() + ${seconds('$2')}
      WHEN chosen.claim = 'doubted' THEN date_trunc('second', now()) + interval '3 seconds' ELSE lease END,
    token = CASE WHEN chosen.claim IN ('sleeps', 'doubted') THEN token ELSE $3::text END,
    attempts = attempts + CASE chosen.claim WHEN 'runs' THEN 1 ELSE 0 END
  FROM (SELECT set_config('synchronous_commit', 'off', true)) AS quick, chosen
  WHERE kept.id = ANY (ARRAY(SELECT id FROM chosen)) AND chosen.id = kept.id
  RETURNING kept.*, chosen.claim
)
SELECT ${columns}, kept.claim, extract(epoch FROM (SELECT min(due) FROM due))::text AS oldest
FROM claimed AS kept LEFT JOIN LATERAL (SELECT * FROM ${content} WHERE id = kept.id LIMIT 1) AS content ON true`),

    // $1 id, $2 seconds of the lease, $3 token of the reservation. A reservation is due when it ends, a suspect that runs is due now: as with
    // the others, whoever looks sees by its lease whether its process ended.
    take: named(`UPDATE ${open} AS kept SET lease = now() + ${seconds('$2')}, due = now(), attempts = attempts + 1
FROM ${content} AS content
WHERE kept.id = $1::bigint AND content.id = kept.id AND kept.token = $3::text AND kept.lease IS NULL
RETURNING ${columns}, 'runs' AS claim`),

    // $1 id, $2 token, $3 after how many milliseconds PostgreSQL ends what the handler has left behind, $4 state in which it ends. Both
    // locks end with the transaction of the handler: a worker that is slow keeps its delivery and its lane, and one that was killed does not.
    // Nothing is returned if the claim is lost, or if the lane is locked. What is dead waits for the handler that it had. The row itself is
    // locked only by a look that came too late.
    hold: named(`SELECT ${held('$3')}
FROM ${open} AS kept
WHERE ${own} AND ${laneFree("$4::text = 'dead'")}
FOR NO KEY UPDATE`),

    // $1 id, $2 token, $3 seconds to wait, $4 error or '', $5 attempts that do not count, $6 1 for a death.
    again:
      named(`UPDATE ${open} SET lease = NULL, due = clock_timestamp() + ${seconds('$3')}, error = coalesce(nullif($4::text, ''), error),
  attempts = attempts - $5::integer, deaths = deaths + $6::integer, suspect = suspect OR $6::integer = 1
WHERE ${own} RETURNING id::text`),

    // $1 id: takes back a death of a worker that lives, and its attempt. It waits for no handler.
    alive: {
      text: `UPDATE ${open} SET deaths = deaths - 1, attempts = attempts - 1, suspect = deaths > 1
WHERE id = (SELECT id FROM ${open} WHERE id = $1::bigint AND deaths > 0 FOR NO KEY UPDATE SKIP LOCKED)`,
    },

    // $1 id, $2 token.
    seal: named(`SELECT id::text FROM ${open} WHERE ${own} FOR UPDATE`),

    // $1 id, $2 token, $3 state, $4 error or '', $5 1 for a death, $6 the start of the transaction. It fails if there is nothing to end, so
    // that COMMIT can be under way already. The log of PostgreSQL shows the text as an invalid bigint.
    end: named(`WITH ${over}, woken AS (
  UPDATE ${open} AS next SET due = clock_timestamp() FROM (
    SELECT head.id FROM over CROSS JOIN LATERAL (
      SELECT id FROM ${open} WHERE lane = over.lane AND id <> over.id ORDER BY id LIMIT 1
    ) AS head
  ) AS head WHERE next.id = head.id AND next.due IS NULL RETURNING next.id
)
${moved}`),

    // Behind `end`, in its transaction. $1 its start, $2 seconds of the lease, $3 token, $4 since when it is due, then for each service its name
    // and 1, or 0 for none. Claims the simplest: what was never claimed, is no suspect, and is the first of its lane. All else is left to
    // `claim`. What has ended stays in front in the index until VACUUM, so a look that begins there reads more each time.
    next: named(next(1)),

    // Both, where no lane is to be woken: the values of `end`, then those of `next`.
    endNext: named(`WITH ${over}, kept AS (${moved})
${next(6)}`),

    // In the transaction that comes after it, on the same connection. $1 token, $2 milliseconds, as for `hold`. Nobody holds what was claimed just
    // now, but a look that came too late may have locked it until its own transaction ends.
    follow: named(`SELECT ${held('$2')}, ${columns}, 'runs' AS claim
FROM ${open} AS kept, ${content} AS content
WHERE kept.id = nullif(current_setting('webhook_receiver.claimed', true), '')::bigint AND kept.token = $1::text AND kept.lease IS NOT NULL
  AND content.id = kept.id AND ${laneFree('false')}
FOR NO KEY UPDATE OF kept`),

    // $1 backend, $2 start of its transaction.
    disconnect: {
      text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1::integer AND ${start('xact_start')} = $2::text`,
    },

    // What is due for five minutes, of services that are found by going from one to the next.
    strangers: {
      text: `WITH RECURSIVE found AS (
  (SELECT service FROM ${open} ORDER BY service LIMIT 1)
  UNION ALL
  SELECT (SELECT service FROM ${open} WHERE service > found.service ORDER BY service LIMIT 1) FROM found WHERE found.service IS NOT NULL
)
SELECT found.service FROM found CROSS JOIN LATERAL (
  SELECT due FROM ${open} WHERE service = found.service AND NOT suspect AND due <= now() ORDER BY due LIMIT 1
) AS oldest WHERE oldest.due < now() - interval '5 minutes'`,
    },

    // $1 seconds for which handled deliveries are kept, $2 dead letters, $3 how many at most.
    sweep: {
      text: `WITH old AS (
  DELETE FROM ${ended} WHERE id IN (
    SELECT id FROM ${ended} WHERE finished_at < now() - ${seconds('least($1, $2)')}
      AND finished_at < now() - ${seconds("CASE state WHEN 'done' THEN $1 ELSE $2 END")}
    ORDER BY finished_at LIMIT $3::integer FOR UPDATE SKIP LOCKED
  ) RETURNING id
)
DELETE FROM ${content} AS content USING old WHERE content.id = old.id RETURNING content.id::text`,
    },
  }
}

function ofOperators(tables: Tables) {
  const { content, open, ended } = tables
  const entry = `json_strip_nulls(json_build_object('id', content.id::text, 'service', content.service, 'event', event,
  'deliveryId', delivery_id, 'key', key, 'state', kept.state, 'attempts', kept.attempts, 'deaths', nullif(kept.deaths, 0), 'error', kept.error,
  'receivedAt', received_at, 'due', kept.due, 'finishedAt', kept.finished_at))::text AS entry`
  const fromOpen = `SELECT id, CASE WHEN lease IS NULL THEN 'waiting' ELSE 'running' END AS state, attempts, deaths, error,
    CASE WHEN lease IS NULL THEN due END AS due, NULL::timestamptz AS finished_at FROM ${open}`
  const fromEnded = `SELECT id, state, attempts, deaths, error, NULL::timestamptz AS due, finished_at FROM ${ended}`
  // $1 state or '', $2 service or '', $3 below which id or '', $4 how many. Each page is read from one index, by whichever of the two orders is
  // wanted: of `service = $2` the planner knows that the order by `service` says nothing, and may read all that is newer instead.
  const page = (from: string, condition: string) => {
    const rows = `${from} WHERE ${condition} AND ($3::text = '' OR id < nullif($3::text, '')::bigint)`
    return `(${rows} AND $2::text = '' ORDER BY id DESC LIMIT $4::integer) UNION ALL
  (${rows} AND $2::text <> '' AND service BETWEEN $2::text AND $2::text ORDER BY service DESC, id DESC LIMIT $4::integer)`
  }

  return {
    // Without a name, so that each is planned for what it looks for.
    list: {
      text: `WITH kept AS (
  ${page(fromOpen, OPEN)}
  UNION ALL ${page(fromEnded, "($1::text = '' AND state IN ('done', 'dead') OR $1::text = 'done' AND state = 'done')")}
  UNION ALL ${page(fromEnded, "$1::text = 'dead' AND state = 'dead'")}
)
SELECT ${entry} FROM kept JOIN ${content} AS content ON content.id = kept.id ORDER BY kept.id DESC LIMIT $4::integer`,
    },

    show: {
      text: `SELECT ${entry}, delivery FROM ${content} AS content
JOIN (${fromOpen} WHERE id = $1::bigint UNION ALL ${fromEnded} WHERE id = $1::bigint) AS kept ON kept.id = content.id
WHERE content.id = $1::bigint`,
    },

    stats: {
      text: `WITH opened AS (
  SELECT service, count(*) FILTER (WHERE lease IS NULL) AS waiting, count(*) FILTER (WHERE lease IS NOT NULL) AS running,
    min(due) FILTER (WHERE lease IS NULL AND due <= now()) AS oldest FROM ${open} GROUP BY service
), died AS (SELECT service, count(*) AS dead FROM ${ended} WHERE state = 'dead' GROUP BY service)
SELECT json_build_object('service', coalesce(opened.service, died.service), 'waiting', coalesce(waiting, 0), 'running', coalesce(running, 0),
  'dead', coalesce(dead, 0), 'oldestDue', coalesce(extract(epoch FROM now() - oldest), 0))::text AS entry
FROM opened FULL JOIN died ON died.service = opened.service`,
    },

    // $1 id or '', $2 states as JSON, $3 service or '', $4 above which id, $5 below which id or '', $6 how many. The oldest of a lane is awake,
    // unless an older one is open, and the others sleep behind it.
    retry: {
      text: `WITH chosen AS (
  SELECT id FROM ${ended} WHERE ($1::text = '' OR id = nullif($1::text, '')::bigint) AND state IN (SELECT json_array_elements_text($2::text::json))
    AND ($3::text = '' OR service = $3::text) AND id > $4::bigint AND ($5::text = '' OR id < nullif($5::text, '')::bigint)
  ORDER BY id LIMIT $6::integer FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM ${ended} AS ended USING chosen WHERE ended.id = chosen.id RETURNING ended.id, ended.service, ended.error
), back AS (
  SELECT gone.*, content.lane, row_number() OVER (PARTITION BY content.lane ORDER BY gone.id) AS place
  FROM gone JOIN ${content} AS content ON content.id = gone.id
), opened AS (
  INSERT INTO ${open} (id, service, lane, error, due)
  SELECT back.id, service, lane, error, CASE WHEN lane IS NULL OR place = 1 AND elder.id IS NULL THEN clock_timestamp() END
  FROM back LEFT JOIN LATERAL (${elder(tables, 'back', ' AND elder.id < back.id')}) AS elder ON true
  RETURNING id
)
SELECT id::text FROM opened ORDER BY opened.id`,
    },

    // $1 service, $2 above which id, $3 how many: with their contents, the oldest first.
    page: {
      text: `SELECT id::text, delivery FROM ${content} WHERE service = $1::text AND id > $2::bigint ORDER BY id LIMIT $3::integer`,
    },

    // $1 id, $2 token: claims what is open and does not run, also once more.
    seize: {
      text: `UPDATE ${open} SET token = $2::text, lease = now() + interval '5 seconds'
WHERE id = $1::bigint AND (lease IS NULL OR lease <= now() OR token = $2::text) RETURNING id::text`,
    },

    // $1 id. Has no row if there is nothing to delete any more.
    forget: {
      text: `WITH gone AS (DELETE FROM ${ended} WHERE id = $1::bigint RETURNING id),
deleted AS (DELETE FROM ${content} AS content USING gone WHERE content.id = gone.id RETURNING content.id)
SELECT deleted.id::text FROM ${content} AS content LEFT JOIN deleted ON true WHERE content.id = $1::bigint`,
    },
  }
}

/** Of `<>` the planner expects that nearly all pass, so it reads from the latest on and stops, whatever waits. Few rows run. */
const OPEN =
  "$1::text IN ('', 'waiting', 'running') AND CASE WHEN lease IS NULL THEN 'running' ELSE 'waiting' END <> $1::text AND ($1::text <> 'running' OR lease IS NOT NULL)"

/** What tells a transaction from others of its backend, whatever the time zone is set to. */
function start(time: string): string {
  return `extract(epoch FROM ${time})::text`
}

function seconds(value: string): string {
  return `make_interval(secs => ${value.replace(/\$\d/g, '$&::float8')})`
}
