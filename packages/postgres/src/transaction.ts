import type { PoolClient, PostgresPool } from './pool.ts'
import type { QueryValue } from './query.ts'
import type { Statement } from './statements.ts'

/** Begins a transaction, runs the work with its client, and commits. */
export type Transact<Client> = (work: (client: Client) => Promise<void>) => PromiseLike<unknown>

/** What was sent in a transaction and not waited for. */
export type UnderWay = PromiseLike<unknown>[]

/** As `Transact`. `underWay` is waited for before it has committed; without it, each statement is waited for before the next is sent. */
export type TransactInPool = (
  work: (client: unknown, underWay?: UnderWay) => Promise<void>,
) => PromiseLike<unknown>

/** Sends a statement, and gives its rows. */
type Send<Rows> = (statement: Statement, ...values: QueryValue[]) => Promise<Rows>

/**
 * Two functions that send statements in a transaction. `ask` gives the rows. What `tell` sends may still be under way when the next is
 * sent, and fails the transaction if it fails.
 */
export function sending<Rows>(
  send: Send<Rows>,
  underWay: UnderWay | undefined,
): { readonly ask: Send<Rows>; readonly tell: (...sent: Parameters<Send<Rows>>) => Promise<void> } {
  return {
    async ask(...sent) {
      const before = underWay?.splice(0) ?? []
      const [rows] = await Promise.all([send(...sent), ...before])
      return rows
    },
    async tell(...sent) {
      if (underWay) underWay.push(send(...sent))
      else await send(...sent)
    },
  }
}

export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED'
export const COMMIT = 'COMMIT'

/**
 * Transactions on the connections of a pool. With clients that pipeline, BEGIN travels with the first statement, and COMMIT with the
 * last: where that fails, PostgreSQL takes COMMIT for ROLLBACK. Resolves to the result of COMMIT.
 */
export function inPool(pool: PostgresPool<unknown>): TransactInPool {
  return (work) =>
    withClient(pool, async (client) => {
      if (client.pipeline !== true) {
        await client.query({ text: BEGIN })
        await work(client)
        return client.query({ text: COMMIT })
      }
      const underWay: UnderWay = [client.query({ text: BEGIN })]
      await work(client, underWay)
      const [committed] = await Promise.all([client.query({ text: COMMIT }), ...underWay])
      return committed
    })
}

/**
 * Resolves to what `transact` does with a client of a pool. Where it rejects, the transaction is rolled back, and what is said of a
 * connection that is lost becomes the cause of the error.
 */
export async function withClient<Result>(
  pool: PostgresPool<unknown>,
  transact: (client: PoolClient) => PromiseLike<Result>,
): Promise<Result> {
  const client = (await pool.connect()) as PoolClient
  let lost: unknown
  const onLost = (error: unknown) => {
    lost ??= error
  }
  client.on?.('error', onLost)
  const release = (broken?: unknown) => {
    client.release(broken)
    // The pool listens to what it has back.
    client.off?.('error', onLost)
  }
  try {
    const result = await transact(client)
    release()
    return result
  } catch (error) {
    await client.query({ text: 'ROLLBACK' }).then(() => release(), release)
    throw withCause(error, lost)
  }
}

function withCause(error: unknown, lost: unknown): unknown {
  const isCause = lost !== undefined && lost !== error && error instanceof Error
  if (isCause && error.cause === undefined) error.cause = lost
  return error
}
