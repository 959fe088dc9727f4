import { checkOptions, DURATION, type OptionTable } from '@webhook-receiver/core/options'

export interface RecoverWorkersOptions {
  /**
   * The time between two checks, in seconds. If two checks in a row do not find a worker, its jobs are unlocked. Anything
   * but a number above 0 and up to 86,400 is a TypeError.
   * @default 2
   */
  readonly interval?: number | undefined
}

/** A plugin for graphile-worker. */
export interface RecoverWorkersPlugin {
  readonly name: string
  readonly version: string
  readonly worker: {
    readonly hooks: { startWorker(context: WorkerContext, event: StartWorker): Promise<void> }
  }
}

interface WorkerContext {
  readonly events: {
    on(name: 'pool:release', listener: (event: { readonly workerPool: object }) => void): unknown
  }
  readonly logger: { error(message: string): unknown }
}

interface StartWorker {
  readonly worker: { readonly workerPool: WorkerPool }
  readonly withPgClient: <Result>(work: (client: Client) => Promise<Result>) => PromiseLike<Result>
}

interface WorkerPool {
  readonly id: string
}

interface Client {
  query(text: string, values: unknown[]): PromiseLike<{ readonly rows: readonly { id: string }[] }>
}

const OPTIONS = {
  interval: [DURATION, 2],
} as const satisfies {
  readonly [Name in keyof Required<RecoverWorkersOptions>]: OptionTable[string]
}

/**
 * Creates a plugin for graphile-worker 0.17 that gives the jobs of a killed worker to the other workers within seconds. The
 * jobs keep their places in their queues. By itself, graphile-worker keeps them locked for four hours.
 *
 * Each worker holds an advisory lock on a connection of its own. PostgreSQL releases the lock when the process dies.
 * The lock needs a session, so PgBouncer with `pool_mode = transaction` does not work.
 *
 * @throws TypeError for an invalid option.
 * @example
 * await run({ pgPool, taskList, preset: { plugins: [recoverWorkers()] } })
 */
export function recoverWorkers(options: RecoverWorkersOptions = {}): RecoverWorkersPlugin {
  const { interval } = checkOptions(options, OPTIONS, '{ interval: 2 }')
  const watched = new WeakMap<WorkerPool, Promise<void>>()
  return {
    name: 'recover-workers',
    version: '1.0.0',
    worker: {
      hooks: {
        // Called for each worker of a pool, before its first job.
        startWorker(context, { worker: { workerPool }, withPgClient }) {
          const known = watched.get(workerPool)
          if (known) return known
          const started = watch(context, workerPool, withPgClient, interval * 1000)
          watched.set(workerPool, started)
          return started
        },
      },
    },
  }
}

/** Resolves when the lock of the worker is held. */
function watch(
  { events, logger }: WorkerContext,
  pool: WorkerPool,
  withPgClient: StartWorker['withPgClient'],
  interval: number,
): Promise<void> {
  let running = true
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  events.on('pool:release', ({ workerPool }) => {
    if (workerPool !== pool) return
    running = false
    stop()
  })
  const pause = () => {
    let timer: ReturnType<typeof setTimeout>
    const time = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, interval)
    })
    return Promise.race([time, stopped]).finally(() => clearTimeout(timer))
  }

  return new Promise((resolve) => {
    const hold = async (client: Client) => {
      await client.query(LOCK, [pool.id])
      resolve()
      try {
        // After a lost connection the others get the time of one check to come back, too.
        for (let missing: string[] = []; running; await pause()) {
          await client.query(UNLOCK_DEAD, [JSON.stringify(missing), pool.id])
          missing = (await client.query(DEAD, [pool.id])).rows.map(({ id }) => id)
        }
      } finally {
        // The connection goes back to its pool.
        await client.query(RELEASE, [pool.id]).then(undefined, () => {})
      }
    }
    const keep = async () => {
      while (running) {
        await Promise.resolve(withPgClient(hold)).catch((error: unknown) => {
          logger.error(`The check for dead workers failed: ${error}`)
          return pause()
        })
      }
    }
    void keep()
  })
}

const keyOf = (id: string) => `hashtextextended('webhook-receiver:worker:' || ${id}, 0)`

const LOCK = `SELECT pg_advisory_lock(${keyOf('$1')})::text AS id`

const RELEASE = `SELECT pg_advisory_unlock(${keyOf('$1')})::text AS id`

/** Workers that have jobs and no lock. */
const DEAD = `WITH workers AS MATERIALIZED (
  SELECT DISTINCT locked_by AS id FROM graphile_worker.jobs
  WHERE locked_by IS NOT NULL AND locked_by <> $1::text
)
SELECT id FROM workers WHERE pg_try_advisory_xact_lock(${keyOf('id')})`

/** $1 those that were dead at the last check, as JSON. */
const UNLOCK_DEAD = `WITH missing AS MATERIALIZED (
  SELECT id FROM json_array_elements_text($1::json) AS id WHERE id <> $2::text
), dead AS MATERIALIZED (
  SELECT id FROM missing WHERE pg_try_advisory_xact_lock(${keyOf('id')})
)
SELECT graphile_worker.force_unlock_workers(array_agg(id))::text AS id FROM dead HAVING count(*) > 0`
