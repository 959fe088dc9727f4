import { wait } from '@webhook-receiver/core/store'
import {
  explained,
  isBusy,
  reworded,
  type SqliteDatabase,
  type SqliteStatement,
} from './database.ts'

/** How long to wait before the lock is tried again, in milliseconds. */
const RETRY = 2

/** After how long without a pause another connection gets a chance, and how long the pause is, in milliseconds. */
const TURN = 50
const PAUSE = 10

/** After how long another connection gets a chance, as long as none has been met for a second, in milliseconds. */
const TURN_ALONE = 250
const ALONE = 1000

/** The work that waits for one connection. */
interface Queue {
  last: Promise<unknown>
  waiting: number
  /** When the last pause was. */
  since: number
  /** When another connection had the lock. */
  met: number
  /** When nothing more waited. */
  ended: number
}

const queues = new WeakMap<SqliteDatabase, Queue>()

/** Runs one work after the other on a connection, since it can have only one transaction. */
export async function inTurn<Result>(
  database: SqliteDatabase,
  work: () => Promise<Result>,
): Promise<Result> {
  const queue = queueOf(database)
  // What comes soon after the work before it has left others no more time than what had waited.
  if (queue.waiting++ === 0 && performance.now() - queue.ended > PAUSE) {
    queue.since = performance.now()
  }
  const run = async () => {
    // SQLite has no queue for its lock: a connection that begins again at once would keep the others out.
    const now = performance.now()
    if (now - queue.since > (now - queue.met < ALONE ? TURN : TURN_ALONE)) {
      await wait(PAUSE)
      queue.since = performance.now()
    }
    return work()
  }
  const result = queue.last.then(run).finally(() => {
    if (--queue.waiting === 0) queue.ended = performance.now()
  })
  queue.last = result.catch(() => {})
  return result
}

function queueOf(database: SqliteDatabase): Queue {
  const queue = queues.get(database) ?? {
    last: Promise.resolve(),
    waiting: 0,
    since: 0,
    met: Number.NEGATIVE_INFINITY,
    ended: Number.NEGATIVE_INFINITY,
  }
  queues.set(database, queue)
  return queue
}

/**
 * Repeats what fails with SQLITE_BUSY, until `end`. The busy timeout of the connection is 0 meanwhile: SQLite would
 * block the event loop, and the work that has the lock may be waiting for this event loop.
 */
export async function whileBusy<Result>(
  database: SqliteDatabase,
  end: number,
  attempt: () => Result,
): Promise<Result> {
  for (;;) {
    try {
      return withoutWaiting(database, attempt)
    } catch (error) {
      if (!isBusy(error)) throw explained(error)
      if (performance.now() >= end) throw locked(error)
    }
    await waitForOther(database)
  }
}

/** Waits a little for the connection that has the lock. */
export async function waitForOther(database: SqliteDatabase): Promise<void> {
  queueOf(database).met = performance.now()
  await wait(RETRY)
}

export function locked(cause: unknown): Error {
  return reworded(
    'The database is locked: another connection writes for longer than `busyTimeout`.',
    cause,
  )
}

/** Calls `attempt` with a busy timeout of 0. */
export function withoutWaiting<Result>(database: SqliteDatabase, attempt: () => Result): Result {
  // Prepared once, since that takes longer than the rest; asked each time, since other code may set it.
  const query = queries.get(database) ?? database.prepare('PRAGMA busy_timeout')
  queries.set(database, query)
  const [row] = query.all()
  const timeout = Number(Object(row).timeout)
  // What node:sqlite begins with.
  if (timeout === 0) return attempt()
  database.exec('PRAGMA busy_timeout = 0')
  try {
    return attempt()
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeout}`)
  }
}

/** The query for the busy timeout of each connection. */
const queries = new WeakMap<SqliteDatabase, SqliteStatement>()
