import { type Rule, rule } from '@webhook-receiver/core/store'
import type { Query, QueryResult, QueryValue } from './query.ts'
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

/** A statement as pg takes it. */
interface QueryConfig {
  text: string
  values?: QueryValue[]
  name?: string
}

/** A pool such as that of pg. */
export interface PostgresPool<Client> {
  query(statement: QueryConfig): PromiseLike<QueryResult>
  connect(): PromiseLike<Client>
  // As pg declares it: without this signature the compiler infers no client from its pool.
  connect(callback: (...result: never) => void): void
}

/** What has events. A pool that is not of pg may have none. */
interface Emitter {
  on?(event: string, listener: (value: unknown) => void): unknown
  off?(event: string, listener: (value: unknown) => void): unknown
  listenerCount?(event: string): number
}

/** What is used of the clients of a pool. */
interface PoolClient extends Emitter {
  /** The option of pg: a statement is sent before the results of those in front of it are there. */
  readonly pipeline?: unknown
  query(statement: QueryConfig): PromiseLike<QueryResult>
  release(broken?: unknown): void
}

export function queryPool(
  pool: PostgresPool<unknown>,
  ...statement: Sent
): PromiseLike<QueryResult> {
  return pool.query(configOf(...statement))
}

// The option promises a pool whose clients have the methods of those of pg.
export function inClient(client: unknown, ...statement: Sent): PromiseLike<QueryResult> {
  return (client as PoolClient).query(configOf(...statement))
}

/** What such a pool is recognized by. */
export const POOL: Rule<PostgresPool<never> | undefined> = rule(
  'a pool with the methods query and connect, such as that of pg',
  (value) => value === undefined || typeof Object(value).connect === 'function',
)

type Sent = [text: string, values: QueryValue[], name?: string | undefined]

function configOf(...[text, values, name]: Sent): QueryConfig {
  return name === undefined ? { text, values } : { text, values, name }
}

/**
 * Without a listener, the error of a lost connection ends the process. The clients of an ORM are out of reach, so they get theirs when
 * they connect.
 */
export function listenTo(given: PostgresPool<unknown>, clientsToo: boolean): void {
  const pool: Emitter = Object(given)
  if (pool.listenerCount?.('error') === 0) {
    pool.on?.('error', (error) => {
      console.error(
        `[webhook-receiver] An idle connection to PostgreSQL was lost: ${Object(error).message}`,
      )
    })
  }
  if (clientsToo) pool.on?.('connect', (client) => (client as Emitter).on?.('error', () => {}))
}

/**
 * Transactions on the connections of a pool. With clients that pipeline, BEGIN travels with the first statement, and COMMIT with the
 * last: where that fails, PostgreSQL takes COMMIT for ROLLBACK. What is said of a connection that is lost becomes the cause of the error.
 * Resolves to the result of COMMIT.
 */
export function inPool(pool: PostgresPool<unknown>): TransactInPool {
  return async (work) => {
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
    const begin = () => client.query({ text: 'BEGIN ISOLATION LEVEL READ COMMITTED' })
    const commit = () => client.query({ text: 'COMMIT' })
    try {
      let committed: unknown
      if (client.pipeline === true) {
        const underWay = [begin()]
        await work(client, underWay)
        ;[committed] = await Promise.all([commit(), ...underWay])
      } else {
        await begin()
        await work(client)
        committed = await commit()
      }
      release()
      return committed
    } catch (error) {
      await client.query({ text: 'ROLLBACK' }).then(() => release(), release)
      throw withCause(error, lost)
    }
  }
}

function withCause(error: unknown, lost: unknown): unknown {
  const isCause = lost !== undefined && lost !== error && error instanceof Error
  if (isCause && error.cause === undefined) error.cause = lost
  return error
}

/** How the transactional store reaches PostgreSQL. */
export interface Connection {
  readonly transaction: TransactInPool
  readonly query: (client: unknown, ...sent: Sent) => PromiseLike<QueryResult>
  /** Sends a statement outside of any transaction. */
  readonly outside?: Query | undefined
  /** Whether `transaction` resolves to the result of COMMIT, and what needs no transaction is sent without. */
  readonly pooled?: boolean
}

/** What stands in place of the functions of an application. */
export function ofPool(pool: PostgresPool<unknown>): Connection & { readonly outside: Query } {
  listenTo(pool, false)
  return {
    transaction: inPool(pool),
    query: inClient,
    outside: (...sent: Sent) => queryPool(pool, ...sent),
    pooled: true,
  }
}
