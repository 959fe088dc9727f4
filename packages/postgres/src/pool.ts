import { type Rule, rule } from '@webhook-receiver/core/store'
import type { QueryResult, QueryValue } from './query.ts'

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
export interface PoolClient extends Emitter {
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

export type Sent = [text: string, values: QueryValue[], name?: string | undefined]

export function configOf(...[text, values, name]: Sent): QueryConfig {
  return name === undefined ? { text, values } : { text, values, name }
}

/** The pools and clients that have a listener for each. */
const heard = new WeakSet<object>()

/**
 * Without a listener, the error of a lost connection ends the process. A pool takes its own away as it hands a client out, and whoever waits
 * for the promise of `connect` is too late for an error that came with the last response: so each gets one before.
 */
export function listenTo(given: PostgresPool<unknown>): void {
  if (heard.has(given)) return
  heard.add(given)
  const pool: Emitter = Object(given)
  if (pool.listenerCount?.('error') === 0) {
    pool.on?.('error', (error) => {
      console.error(
        `[webhook-receiver] An idle connection to PostgreSQL was lost: ${Object(error).message}`,
      )
    })
  }
  pool.on?.('acquire', (value) => {
    const client = Object(value)
    if (heard.has(client)) return
    heard.add(client)
    client.on?.('error', () => {})
  })
}
