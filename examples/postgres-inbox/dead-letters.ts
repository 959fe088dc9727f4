import { runMigrations } from 'graphile-worker'
import { logger, pool } from './database.js'

// Prints a line of JSON for each dead letter. With the argument `redrive`, each gets its attempts again.
await runMigrations({ pgPool: pool, logger })
const { rows } = await pool.query<{ job: string }>(
  `SELECT id AS job, queue_name AS queue, last_error AS error, updated_at AS at
   FROM graphile_worker.jobs WHERE attempts >= max_attempts AND locked_at IS NULL ORDER BY id`,
)
for (const row of rows) console.log(JSON.stringify(row))
if (process.argv[2] === 'redrive') {
  const jobs = rows.map(({ job }) => job)
  await pool.query(
    'SELECT graphile_worker.reschedule_jobs($1::bigint[], run_at := now(), attempts := 0, max_attempts := 1)',
    [jobs],
  )
}
await pool.end()
