/** A value for a `?` of a statement. */
export type SqliteValue = string | number

/** A prepared statement. */
export interface SqliteStatement {
  /** Runs the statement and returns its rows, each as an object. */
  all(...values: SqliteValue[]): unknown[]
  /** Runs a statement that has no rows. `changes` is how many it wrote or deleted. */
  run(...values: SqliteValue[]): { readonly changes: number | bigint }
}

/** A connection to a database: a `DatabaseSync` of node:sqlite, or a `Database` of better-sqlite3. */
export interface SqliteDatabase {
  /** Runs SQL without values. */
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
}

/** The primary result code of SQLite for a lock that another connection has. */
const SQLITE_BUSY = 5

/** Whether another connection has the lock. node:sqlite gives a number, better-sqlite3 a name, and `exec` of Deno a message alone. */
export function isBusy(error: unknown): boolean {
  const { errcode, code, message } = Object(error)
  // The other bits say why it is busy, such as for a recovery.
  const isCode = (errcode & 0xff) === SQLITE_BUSY || String(code).startsWith('SQLITE_BUSY')
  return isCode || message === 'database is locked'
}

const ITERATING = 'busy executing a query'

/** Whether better-sqlite3 does nothing because an iterator is open. */
export function isIterating(error: unknown): boolean {
  return String(Object(error).message).includes(ITERATING)
}

const NO_END = 'Do not send COMMIT or ROLLBACK in a handler. To roll back, throw an error.'

/** The error for a handler that has ended its transaction, and then failed. */
export function endedByHandler(cause: unknown): Error {
  return new Error(`The handler ended its transaction. ${NO_END}`, { cause })
}

/** An error of the driver in other words, with its code, so that it is shown in place of its cause. */
export function reworded(message: string, cause: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: Object(cause).code })
}

const CLOSED = 'Close the database after the server.'

/** What to do about an error of SQLite, by what its message has. */
const ADVICE = {
  'no such table': 'Call migrate(database) before the first delivery.',
  'no such savepoint': `${NO_END} Do not catch the error of a full disk, at which SQLite rolls back.`,
  [ITERATING]: 'Read what `iterate()` returns to its end in the handler, or use `all()`.',
  'inside a transaction': 'Give the store a connection of its own.',
  'been finalized': CLOSED,
  'is not open': CLOSED,
}

/** An error of SQLite, with what to do about it. */
export function explained(cause: unknown): unknown {
  const { message } = Object(cause)
  for (const [text, advice] of Object.entries(ADVICE)) {
    if (String(message).includes(text)) return reworded(`${message}. ${advice}`, cause)
  }
  return cause
}

/** Runs what says in its error what to do about it. */
export function explaining<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw explained(error)
  }
}
