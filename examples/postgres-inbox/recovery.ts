import { setTimeout as delay } from 'node:timers/promises'
import 'graphile-worker'
import type pg from 'pg'
import { pool } from './database.js'

/** Between two checks, in milliseconds. A worker is dead if two checks in a row do not find its lock. */
const INTERVAL = 2000

/** A job whose worker died so often is not run again. */
const MAX_DEATHS = 10

/**
 * A plugin that gives the jobs of killed workers to the others within seconds, in their places. By itself, graphile-worker
 * keeps them locked for four hours. Each worker holds an advisory lock, which PostgreSQL releases when the process dies.
 */
export function recoverWorkers(ended: AbortSignal): GraphileConfig.Plugin {
  let locked: Promise<void> | undefined
  return {
    name: 'recover-workers',
    version: '1.0.0',
    worker: {
      hooks: {
        // The first job waits until the lock is held.
        startWorker(_context, { worker }) {
          locked ??= new Promise((onLocked) => void watch(worker.workerPool.id, ended, onLocked))
          return locked
        },
      },
    },
  }
}

async function watch(id: string, ended: AbortSignal, onLocked: () => void): Promise<void> {
  const pause = () => delay(INTERVAL, undefined, { signal: ended }).catch(() => {})
  while (!ended.aborted) {
    let client: pg.PoolClient | undefined
    try {
      client = await pool.connect()
      await client.query(`SELECT pg_advisory_lock(${keyOf('$1')})`, [id])
      onLocked()
      // After an outage, the other workers have the time of one check to take their locks again.
      for (let missing: string[] = []; !ended.aborted; await pause()) {
        missing = await check(client, id, missing)
      }
    } catch (error) {
      console.error('The check for dead workers failed:', error)
      await pause()
    } finally {
      // Closes the connection, which releases the lock.
      client?.release(true)
    }
  }
}

/** Unlocks the jobs of those who were missing at the last check and still are. Returns who is missing now. */
async function check(client: pg.PoolClient, id: string, before: string[]): Promise<string[]> {
  // All statements see the same jobs.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  const { rows } = await client.query<{ id: string }>(MISSING, [id])
  const missing = rows.map((row) => row.id)
  const dead = missing.filter((worker) => before.includes(worker))
  const begun = await client.query<{ attempts: number; ids: string[] }>(LAST_ATTEMPTS, [
    dead,
    MAX_DEATHS,
  ])
  await client.query('SELECT graphile_worker.force_unlock_workers($1)', [dead])
  for (const { attempts, ids } of begun.rows) {
    await client.query(
      'SELECT graphile_worker.reschedule_jobs($1::bigint[], max_attempts := $2::integer)',
      [ids, attempts + 1],
    )
  }
  await client.query('COMMIT')
  return missing
}

const keyOf = (id: string) => `hashtextextended('inbox-worker:' || ${id}, 0)`

/** Workers that have jobs and no lock. */
const MISSING = `WITH workers AS MATERIALIZED (
  SELECT DISTINCT locked_by AS id FROM graphile_worker.jobs WHERE locked_by <> $1
)
SELECT id FROM workers WHERE pg_try_advisory_xact_lock(${keyOf('id')})`

/** Jobs that these workers were in the last attempt of. Each gets one more. */
const LAST_ATTEMPTS = `SELECT attempts, array_agg(id) AS ids FROM graphile_worker.jobs
WHERE locked_by = ANY($1) AND attempts >= max_attempts AND attempts < $2 GROUP BY attempts`
