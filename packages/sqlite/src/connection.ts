import { setImmediate } from 'node:timers'
import {
  endedByHandler,
  explained,
  explaining,
  isBusy,
  isIterating,
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
} from './database.ts'
import { inTurn, locked, waitForOther, whileBusy, withoutWaiting } from './lock.ts'

/** FULL, so that a power failure loses nothing that got 2xx; some are compiled with NORMAL. */
const BEGIN = 'PRAGMA synchronous = FULL; BEGIN IMMEDIATE'

export interface Connection {
  /** Runs a statement and returns its rows. */
  read(text: string, ...values: SqliteValue[]): readonly unknown[]
  /** Runs a statement without RETURNING, which costs time, and returns whether it changed any row. */
  change(text: string, ...values: SqliteValue[]): boolean
  /**
   * Runs `write` in a transaction, which it shares with the other steps that wait: the wait for the disk is then one for all of
   * them. While another connection has the lock, it calls `look` instead, and resolves to what that finds.
   */
  step<Result>(look: () => Result | undefined, write: () => Result): Promise<Result>
  /**
   * Runs `write` in a separate transaction, and `work` too, if `wanted` says so of the result of `write`: where `work` rejects, it
   * rolls back. While another connection has the lock, `look` is called instead. Where `work` has committed by itself and rejects,
   * `undo` takes back what `write` has written, and returns whether there was something.
   */
  transaction<Result>(
    look: () => Result | undefined,
    write: () => Result,
    wanted: (result: Result) => boolean,
    work: () => Promise<void>,
    undo: () => boolean,
  ): Promise<Result>
}

/** A step that waits for its transaction. */
interface Step {
  /** When it gives up, by `performance.now`. */
  readonly end: number
  /** Looks without the lock. Returns whether that was enough. */
  look(): boolean
  write(): void
  /** After COMMIT. */
  resolve(): void
  reject(error: unknown): void
}

/** The connection of a store, with its statements prepared once. */
export function createConnection(database: SqliteDatabase, busyTimeout: number): Connection {
  const prepared = new Map<string, SqliteStatement>()
  let waiting: Step[] = []
  /** Whether a handler has kept its transaction from being rolled back. */
  let isLeftOpen = false

  /** Prepares a statement once. */
  function execute(text: string): void {
    statementFor(text).run()
  }

  function begin<Result>(look: () => Result | undefined): Result | undefined {
    try {
      beginNew()
      return undefined
    } catch (error) {
      const found = isBusy(error) ? look() : undefined
      if (found === undefined) throw error
      return found
    }
  }

  function beginNew(): void {
    if (isLeftOpen) rollBack()
    database.exec(BEGIN)
  }

  function rollBack(): void {
    try {
      database.exec('ROLLBACK')
      isLeftOpen = false
    } catch (error) {
      // SQLite may have rolled back by itself.
      isLeftOpen = isIterating(error)
    }
  }

  /** Whether the savepoint of a handler is there, to which this goes back. */
  function isInSavepoint(): boolean {
    try {
      database.exec('ROLLBACK TO webhook_receiver')
      return true
    } catch {
      return false
    }
  }

  /** Runs every step that waits, also those that come while another connection has the lock. */
  async function runWaiting(): Promise<void> {
    let steps: Step[] = []
    for (;;) {
      steps.push(...waiting)
      waiting = []
      try {
        steps = withoutWaiting(database, () => runTogether(steps))
      } catch (error) {
        for (const step of steps) step.reject(explained(error))
        return
      }
      if (steps.length === 0) return
      await waitForOther(database)
    }
  }

  /** Runs steps in one transaction. Returns those that another connection keeps from running. */
  function runTogether(steps: Step[]): Step[] {
    if (steps.length === 0) return []
    try {
      beginNew()
      try {
        for (const step of steps) step.write()
        execute('COMMIT')
      } catch (error) {
        rollBack()
        throw error
      }
    } catch (error) {
      if (isBusy(error)) return steps.filter((step) => isLeft(step, error))
      // One that fails must not fail the others.
      if (steps.length > 1) return steps.flatMap((step) => runTogether([step]))
      for (const step of steps) step.reject(explained(error))
      return []
    }
    for (const step of steps) step.resolve()
    return []
  }

  function isLeft(step: Step, busy: unknown): boolean {
    try {
      if (step.look()) return false
      if (performance.now() < step.end) return true
      step.reject(locked(busy))
    } catch (error) {
      step.reject(explained(error))
    }
    return false
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
      return new Promise((resolve, reject) => {
        let result: ReturnType<typeof write>
        waiting.push({
          end: performance.now() + busyTimeout * 1000,
          look() {
            const found = look()
            if (found !== undefined) resolve(found)
            return found !== undefined
          },
          write() {
            result = write()
          },
          resolve: () => resolve(result),
          reject,
        })
        // The requests that have arrived together make their steps before this is called.
        if (waiting.length === 1) setImmediate(() => inTurn(database, runWaiting))
      })
    },
    async transaction(look, write, wanted, work, undo) {
      const end = performance.now() + busyTimeout * 1000
      return inTurn(database, async () => {
        const other = await whileBusy(database, end, () => begin(look))
        if (other !== undefined) return other
        try {
          const result = explaining(write)
          let isInWork = wanted(result)
          if (isInWork) {
            execute('SAVEPOINT webhook_receiver')
            try {
              await work()
            } catch (error) {
              if (isInSavepoint()) throw error
              rollBack()
              throw (await whileBusy(database, end, undo)) ? endedByHandler(error) : error
            }
          }
          await whileBusy(database, end, () => {
            // A COMMIT or ROLLBACK of the work has ended the savepoint too, even if a BEGIN came after it.
            if (isInWork) execute('RELEASE webhook_receiver')
            isInWork = false
            execute('COMMIT')
          })
          return result
        } catch (error) {
          rollBack()
          throw error
        }
      })
    },
  }
}
