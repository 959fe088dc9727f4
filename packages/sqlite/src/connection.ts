import { isBusy, type SqliteDatabase, type SqliteStatement, type SqliteValue } from './database.ts'
import { inTurn, whileBusy } from './lock.ts'

/** FULL, so that a power failure loses nothing that got 2xx; some are compiled with NORMAL. */
const BEGIN = 'PRAGMA synchronous = FULL; BEGIN IMMEDIATE'

export interface Connection {
  /** Runs a statement and returns its rows. */
  read(text: string, ...values: SqliteValue[]): readonly unknown[]
  /** Runs a statement without RETURNING, which costs time, and returns whether it changed any row. */
  change(text: string, ...values: SqliteValue[]): boolean
  /**
   * Runs `write` in a transaction. While another connection has the lock, it calls `look` instead, and resolves to what that
   * finds.
   */
  step<Result>(look: () => Result | undefined, write: () => Result): Promise<Result>
  /** The same with `work` in the transaction, unless `look` finds something: where `work` rejects, it rolls back. */
  transaction<Result>(
    look: () => Result | undefined,
    write: () => Result,
    work: () => Promise<void>,
  ): Promise<Result>
}

/** The connection of a store, with its statements prepared once. */
export function createConnection(database: SqliteDatabase, busyTimeout: number): Connection {
  const prepared = new Map<string, SqliteStatement>()

  function begin<Result>(look: () => Result | undefined): Result | undefined {
    try {
      database.exec(BEGIN)
      return undefined
    } catch (error) {
      const found = isBusy(error) ? look() : undefined
      if (found === undefined) throw error
      return found
    }
  }

  function rollBack(): void {
    try {
      database.exec('ROLLBACK')
    } catch {
      // SQLite has rolled back by itself.
    }
  }

  function statementFor(text: string): SqliteStatement {
    const statement = prepared.get(text) ?? database.prepare(text)
    prepared.set(text, statement)
    return statement
  }

  return {
    read: (text, ...values) => statementFor(text).all(...values),
    // A BigInt where the connection is set to that.
    change: (text, ...values) => Number(statementFor(text).run(...values).changes) > 0,
    step(look, write) {
      const end = performance.now() + busyTimeout * 1000
      return inTurn(database, () =>
        whileBusy(database, end, () => {
          const found = begin(look)
          if (found !== undefined) return found
          try {
            const result = write()
            database.exec('COMMIT')
            return result
          } catch (error) {
            rollBack()
            throw error
          }
        }),
      )
    },
    async transaction(look, write, work) {
      const end = performance.now() + busyTimeout * 1000
      return inTurn(database, async () => {
        const other = await whileBusy(database, end, () => begin(look))
        if (other !== undefined) return other
        try {
          // With the lock: another may have written in between.
          const found = look()
          const result = found ?? write()
          if (found === undefined) {
            database.exec('SAVEPOINT webhook_receiver')
            await work()
            // A COMMIT or ROLLBACK of the work has ended the savepoint too, even if a BEGIN came after it.
            await whileBusy(database, end, () => database.exec('RELEASE webhook_receiver'))
          }
          await whileBusy(database, end, () => database.exec('COMMIT'))
          return result
        } catch (error) {
          rollBack()
          throw error
        }
      })
    },
  }
}
