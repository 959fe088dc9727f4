import type { Claim, TransactionalDeliveryStore } from '@webhook-receiver/core'
import {
  createSweeper,
  createTokens,
  isAbandoned,
  isError,
  madeBy,
} from '@webhook-receiver/core/store'
import { claimWith } from './claim.ts'
import { createConfirmation, type Mark, markOf } from './confirmation.ts'
import type { Ends } from './ends.ts'
import { ENDED_BY_HANDLER, explainEnd } from './explain.ts'
import {
  type PoolOr,
  type PostgresTransactionalStoreOptions,
  resolveTransactionalOptions,
} from './options.ts'
import { type Ask, createSend, type Query, type QueryValue, repeated } from './query.ts'
import { countIn, isChanged, noRows, rowsIn } from './rows.ts'
import { DISCONNECT, ROLLBACK, type Statement, statementsFor } from './statements.ts'

/**
 * Marks a delivery as handled in the same transaction as its effects: both are committed or neither.
 *
 * A duplicate that arrives while the first copy is handled does not wait: `transact` returns at once. `transact`
 * resolves when the mark can be read outside of its transaction, because a COMMIT may be a silent ROLLBACK. If the
 * mark cannot be read, or the result of COMMIT is lost, `transact` rejects, although both may be committed. The next
 * copy then finds the mark, or is handled.
 *
 * @throws TypeError for an invalid option; it says what to write instead.
 * @example
 * const store = postgresTransactionalStore({ pool })
 */
export function postgresTransactionalStore<Transaction>(
  options: PostgresTransactionalStoreOptions<Transaction> & PoolOr<'transaction' | 'query'>,
): TransactionalDeliveryStore<Transaction> {
  const { connection, table, retention } = resolveTransactionalOptions(options)
  const { transaction, query, outside, pooled } = connection
  const statements = statementsFor(table, retention)
  const send = createSend(table)
  const ask = (client: unknown, statement: Statement, ...values: QueryValue[]) =>
    rowsOf((...sent) => query(client, ...sent), statement, values)
  const rowsOf: Ask = async (...sent) => rowsIn(await send(...sent))
  /** Sends a statement that belongs to no handler. */
  async function askAlone(
    statement: Statement,
    ...values: QueryValue[]
  ): Promise<readonly unknown[]> {
    if (pooled && outside) return rowsOf(outside, statement, values)
    let rows: readonly unknown[] = []
    await transaction(async (client) => {
      rows = await ask(client, statement, ...values)
    })
    return rows
  }

  const newToken = createTokens()
  /** Whether the results of a client of the pool count what was changed. The first mark finds out. */
  let counts = false

  const sweep = createSweeper(async (most) => {
    if (pooled) await askOutside(statements.sweep, most)
    else await askAlone(statements.sweep, most)
  })

  /** Sends a statement outside of the transaction of a handler. */
  const askOutside = async (statement: Statement, ...values: QueryValue[]) =>
    outside ? rowsOf(outside, statement, values) : askAlone(statement, ...values)

  const isCommitted = createConfirmation((marks) => {
    const keys = JSON.stringify(marks.map(({ key }) => key))
    return repeated(() => askOutside(statements.committed, keys))
  })

  /**
   * Ends the connection of a handler that may still use it: what it sends later must not run in the transaction of another.
   * Nothing is waited for, so that the ROLLBACK of `transaction` comes before the connection is closed.
   */
  function disconnect(client: unknown, token: string): void {
    const sent = [
      // If a statement of the handler does not end, what is sent behind it does not run.
      askOutside(statements.disconnectOwner, token),
      // A pool does that where it rolls back.
      ...(pooled ? [] : [ask(client, ROLLBACK), ask(client, DISCONNECT)]),
    ]
    for (const result of sent) result.catch(() => {})
  }

  async function handle(
    client: unknown,
    ends: Ends | undefined,
    key: string,
    work: Work<Transaction>,
    failed: (mark: Mark) => void,
  ): Promise<Handled> {
    const between: Query = (...sent) => query(client, ...sent)
    const own = ends && counts ? newToken() : undefined
    let mark: Mark | undefined
    let by = ends?.first ?? between
    const make = async () => {
      const sent = own ? send(by, statements.markAs, [key, own]) : send(by, statements.mark, [key])
      by = between
      const result = await sent
      if (own === undefined) {
        mark = returnedMark(result)
        counts = countIn(result) >= 0
        return mark !== undefined
      }
      const count = countIn(result)
      // Without a mark the handler does not run, so that no odd result may look like none.
      if (Number.isNaN(count)) throw noRows()
      if (count > 0) mark = { key, token: own }
      return mark !== undefined
    }
    const claim = await claimWith(make, () => rowsOf(between, statements.unmarked, [key]))
    if (!mark) return { claim }
    try {
      // The client is the one whose type the options name.
      await work(client as Transaction)
    } catch (error) {
      // Nothing is asked behind a handler that may still use its connection, nor behind a connection that is lost.
      if (isAbandoned(error)) disconnect(client, mark.token)
      else {
        await ends?.back(error)
        failed(mark)
      }
      throw error
    }
    // COMMIT is not rejected in a transaction that failed: it rolls back, and many clients say nothing.
    try {
      if (ends) await ends.commit()
      else rowsIn(await send(between, statements.marked, [mark.token]))
    } catch (error) {
      throw explainEnd(error)
    }
    return { claim, mark }
  }

  /** Handles a delivery in a transaction, and returns its claim after COMMIT. */
  async function attempt(key: string, work: Work<Transaction>): Promise<Claim> {
    let handled: Handled | undefined
    let failure: { readonly error: unknown } | undefined
    let mark: Mark | undefined
    let committed: unknown
    try {
      committed = await transaction(async (client, ends) => {
        // Forgotten each time: some run the work again where two transactions could not be put in order.
        handled = failure = mark = undefined
        try {
          handled = await handle(client, ends, key, work, (made) => {
            mark = made
          })
        } catch (error) {
          failure = { error }
          throw error
        }
      })
    } catch (error) {
      throw failure === undefined ? error : await rolledBack(failure.error, mark)
    }
    // Where `transaction` kept the failure to itself, nothing was committed all the same.
    if (failure !== undefined) throw await rolledBack(failure.error, mark)
    if (handled !== undefined) {
      const isSaid = pooled && Object(committed).command === 'COMMIT'
      return isSaid || !handled.mark ? handled.claim : confirmed(handled.claim, handled.mark)
    }
    throw new Error(
      '`transaction` resolved before its work was done. It should await the work, as in (work) => sql.begin(work), and resolve after COMMIT.',
    )
  }

  /**
   * The error of a handler behind its roll-back. A handler that has sent COMMIT itself has committed the mark too, which would make every
   * copy of the delivery a duplicate although it failed.
   */
  async function rolledBack(error: unknown, mark: Mark | undefined): Promise<unknown> {
    if (mark === undefined) return error
    const unmarked = askAlone(statements.unmark, mark.key, mark.token)
    const isEnded = await unmarked.then(isChanged).catch(() => false)
    return isEnded ? new Error(ENDED_BY_HANDLER, { cause: error }) : error
  }

  /** Returns the claim if PostgreSQL has its mark. */
  async function confirmed(claim: Claim, mark: Mark): Promise<Claim> {
    const committed = await isCommitted(mark).catch((cause: unknown) => {
      const why = isError(cause) ? cause.message : 'it threw a value that is not an Error'
      throw new Error(`The check whether COMMIT happened failed: ${why}`, { cause })
    })
    if (committed) return claim
    throw new Error(
      '`transaction` resolved, but PostgreSQL rolled back: the mark of the delivery is not in the table. With a pooler such as PgBouncer, set `prepare: false` in postgres.js',
    )
  }

  return madeBy<TransactionalDeliveryStore<Transaction>>('@webhook-receiver/postgres', 'store', {
    async forget(key) {
      return isChanged(await askAlone(statements.forget, key))
    },
    transact(key, work) {
      let begun = false
      const handle = (client: Transaction) => {
        begun = true
        return work(client)
      }
      const transactOnce = () => attempt(key, handle)
      const transact = () => repeated(transactOnce, () => !begun)
      return sweep()?.then(transact) ?? transact()
    },
  })
}

/** The mark that was made, if one was. */
function returnedMark(result: unknown): Mark | undefined {
  const rows = rowsIn(result)
  if (!isChanged(rows)) return undefined
  const mark = markOf(rows[0])
  if (mark) return mark
  throw noRows()
}

type Work<Transaction> = (transaction: Transaction) => Promise<void>

/** What came of the work, and the mark where it is the transaction's own. */
interface Handled {
  readonly claim: Claim
  readonly mark?: Mark
}
