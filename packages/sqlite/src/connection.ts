import type { SqliteDatabase, SqliteStatement, SqliteValue } from './database.ts'
import { inTurn, whileBusy } from './lock.ts'

/** FULL, so that a power failure loses nothing that got 2xx; some are compiled with NORMAL. */
const BEGIN = 'PRAGMA synchronous = FULL; BEGIN IMMEDIATE; SAVEPOINT webhook_receiver'

export interface Connection {
  /** Runs a statement and returns its rows. */
  run(text: string, ...values: SqliteValue[]): readonly unknown[]
  /**
   * Calls `look` without the lock, and resolves to what it finds. Where it finds nothing, begins a transaction, runs
   * `work` in it and commits; where `work` rejects, it rolls back.
   */
  transaction<Result>(
    look: () => Result | undefined,
    work: () => Result | Promise<Result>,
  ): Promise<Result>
}

/** The connection of a store, with its statements prepared once. */
export function createConnection(database: SqliteDatabase, busyTimeout: number): Connection {
  const prepared = new Map<string, SqliteStatement>()

  return {
    run(text, ...values) {
      const statement = prepared.get(text) ?? database.prepare(text)
      prepared.set(text, statement)
      return statement.all(...values)
    },
    async transaction(look, work) {
      const end = performance.now() + busyTimeout * 1000
      return inTurn(database, async () => {
        const found = await whileBusy(database, end, () => {
          const result = look()
          if (result === undefined) database.exec(BEGIN)
          return result
        })
        if (found !== undefined) return found
        try {
          let value = work()
          // No `await` where it is not needed: other code may use this connection.
          if (value instanceof Promise) {
            value = await value
            // A COMMIT or ROLLBACK of the work has ended the savepoint too, even if a BEGIN came after it.
            await whileBusy(database, end, () => database.exec('RELEASE webhook_receiver'))
          }
          await whileBusy(database, end, () => database.exec('COMMIT'))
          return value
        } catch (error) {
          try {
            database.exec('ROLLBACK')
          } catch {
            // SQLite has rolled back by itself.
          }
          throw error
        }
      })
    },
  }
}
