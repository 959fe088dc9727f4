import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Logger, type Runner, run, runMigrations, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { recoverWorkers, runInOrder } from '../src/index.ts'
import { DATABASE_URL, queryPostgres, unreachable } from './server.ts'

/** A database of this file's own: graphile-worker has a schema with a fixed name. */
const database = `webhook_test_${randomBytes(8).toString('hex')}`
const url = new URL(DATABASE_URL)
url.pathname = `/${database}`

const WAIT = { timeout: 20_000, interval: 20 }
const QUICK = { wait: 0.01 }

describe('options', () => {
  test('a number of attempts, a wait or an interval that is invalid is a TypeError', () => {
    const work = async () => {}
    expect(() => runInOrder(work, { attempts: 0 })).toThrow(TypeError)
    expect(() => runInOrder(work, { wait: -1 })).toThrow(TypeError)
    expect(() => recoverWorkers({ interval: 0 })).toThrow(TypeError)
  })
})

describe.skipIf(unreachable !== undefined)('graphile-worker', () => {
  const errors: string[] = []
  const logger = new Logger(() => (level, message) => {
    if (level === 'error') errors.push(message)
  })
  const runners: Runner[] = []
  const done: number[] = []
  let pool: pg.Pool

  const openPool = () => {
    const opened = new pg.Pool({ connectionString: url.href, max: 12 })
    opened.on('error', () => {})
    return opened.on('connect', (client) => client.on('error', () => {}))
  }
  const query = async (text: string, values: unknown[] = []) =>
    (await pool.query(text, values)).rows
  const add = (number: number, queue = 'one', attempts = 5) =>
    query(
      "SELECT graphile_worker.add_job('test', json_build_object('number', $1::integer), $2, max_attempts := $3)",
      [number, queue, attempts],
    )
  const jobs = () =>
    query(
      'SELECT attempts = max_attempts AS dead, locked_by, last_error FROM graphile_worker.jobs ORDER BY id',
    )
  const numberOf = (payload: unknown) => (payload as { number: number }).number

  async function start(taskList: TaskList, plugins: ReturnType<typeof recoverWorkers>[] = []) {
    const runner = await run({
      ...{ pgPool: pool, taskList, logger, preset: { plugins } },
      ...{ concurrency: 3, pollInterval: 20, noHandleSignals: true },
    })
    runners.push(runner)
    return runner
  }

  beforeAll(async () => {
    await queryPostgres(`CREATE DATABASE ${database}`)
    pool = openPool()
    await runMigrations({ pgPool: pool, logger })
  })
  beforeEach(() => {
    done.length = 0
    errors.length = 0
  })
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.stop()))
    await query('TRUNCATE graphile_worker._private_jobs, graphile_worker._private_job_queues')
  })
  afterAll(async () => {
    await pool.end()
    await queryPostgres(`DROP DATABASE ${database} WITH (FORCE)`)
  })

  /** Fails for 1 so many times. */
  const failing = (times: number, error: () => Error = () => new Error('on purpose')) => {
    let left = times
    return async (payload: unknown) => {
      if (numberOf(payload) === 1 && left-- > 0) throw error()
      done.push(numberOf(payload))
    }
  }

  test('by itself lets later jobs of a queue pass one that failed: what runInOrder is for', async () => {
    for (const number of [0, 1, 2]) await add(number)
    await start({ test: failing(1) })
    await vi.waitFor(() => expect(done).toEqual([0, 2, 1]), WAIT)
  })

  test('runs the jobs of a queue in order, also where one fails, and says so', async () => {
    for (const number of [0, 1, 2, 3]) await add(number)
    await start({ test: runInOrder(failing(2), QUICK) })
    await vi.waitFor(() => expect(done).toEqual([0, 1, 2, 3]), WAIT)
    await vi.waitFor(async () => expect(await jobs()).toEqual([]), WAIT)
    expect(errors).toHaveLength(2)
    expect(errors[0]).toMatch(/^Job \d+ failed and is tried again in 0\.01 s: Error: on purpose/)
  })

  test('a job that always fails is a dead letter, with any message, and its queue goes on', async () => {
    for (const number of [0, 1, 2]) await add(number)
    const work = failing(Number.POSITIVE_INFINITY, () => new Error('a \0 and \ud800 👋'))
    const runner = await start({ test: runInOrder(work, { ...QUICK, attempts: 2 }) })
    await vi.waitFor(() => expect(done).toEqual([0, 2]), WAIT)
    await vi.waitFor(
      async () =>
        expect(await jobs()).toEqual([
          { dead: true, locked_by: null, last_error: 'a \ufffd and \ufffd 👋' },
        ]),
      WAIT,
    )
    await runner.stop()
    runners.length = 0

    await query(
      'SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now(), attempts := 0) FROM graphile_worker.jobs',
    )
    await start({ test: runInOrder(failing(0), QUICK) })
    await vi.waitFor(() => expect(done).toEqual([0, 2, 1]), WAIT)
  })

  test('what is thrown need not be an Error', async () => {
    await add(1)
    const work = async () => Promise.reject('a text')
    await start({ test: runInOrder(work, { attempts: 1 }) })
    await vi.waitFor(
      async () => expect(await jobs()).toMatchObject([{ dead: true, last_error: 'a text' }]),
      WAIT,
    )
  })

  test('a store that is away does not count as an attempt', async () => {
    await add(1)
    const away = () => Object.assign(new Error('later'), { reason: 'store_unavailable' })
    await start({ test: runInOrder(failing(5, away), { ...QUICK, attempts: 1 }) })
    await vi.waitFor(() => expect(done).toEqual([1]), WAIT)
  })

  test('while the database is away a job does not become a dead letter', async () => {
    const queries: string[] = []
    let away = 2
    const helpers = {
      job: { id: '7', locked_by: 'worker' },
      logger,
      query: async (text: string) => {
        queries.push(text)
        if (away-- > 0) throw new Error('the database is away')
        return { rows: [] }
      },
    }
    const task = runInOrder(failing(Number.POSITIVE_INFINITY), { ...QUICK, attempts: 1 })
    await expect(task({ number: 1 }, helpers)).rejects.toThrow('on purpose')
    expect(queries).toHaveLength(3)
  })

  test('jobs of a dead worker run again, in their order', async () => {
    for (const number of [0, 1, 2]) await add(number)
    await query(
      "UPDATE graphile_worker._private_jobs SET locked_by = 'dead', locked_at = now(), attempts = 1 WHERE payload->>'number' = '0'",
    )
    await query(
      "UPDATE graphile_worker._private_job_queues SET locked_by = 'dead', locked_at = now()",
    )
    await start({ test: runInOrder(failing(0)) }, [recoverWorkers({ interval: 0.05 })])
    await vi.waitFor(() => expect(done).toEqual([0, 1, 2]), WAIT)
  })

  test('a worker that lives keeps its jobs, also when its lock was lost and is there again', async () => {
    await add(0)
    let finish = () => {}
    const begun = vi.fn()
    const hanging = () => {
      begun()
      return new Promise<void>((resolve) => {
        finish = resolve
      })
    }
    await start({ test: hanging }, [recoverWorkers({ interval: 0.05 })])
    await vi.waitFor(() => expect(begun).toHaveBeenCalledOnce(), WAIT)
    const locks = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted"
    const [lock] = await query(locks)
    await query('SELECT pg_terminate_backend($1)', [lock?.pid])
    await vi.waitFor(async () => {
      const [again] = await query(locks)
      expect(again?.pid).toSatisfy((pid: number) => pid > 0 && pid !== lock?.pid)
    }, WAIT)

    const other = await start({ test: failing(0) }, [recoverWorkers({ interval: 0.05 })])
    // The other one checks about ten times.
    await delay(500)
    await other.stop()
    runners.pop()
    expect(done).toEqual([])
    finish()
    await vi.waitFor(async () => expect(await jobs()).toEqual([]), WAIT)
    expect(begun).toHaveBeenCalledOnce()
    expect(errors.join()).toContain('The check for dead workers failed')
  })
})
