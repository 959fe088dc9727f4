import {
  checkStoreOptions,
  functionRule,
  hidden,
  optional,
  type Resolved,
  type Rule,
  type StoreOptions,
  type StoreOptionTable,
} from '@webhook-receiver/core/store'
import { type Connection, ofPool } from './connection.ts'
import { POOL, type PostgresPool } from './pool.ts'
import type { Query, QueryResult } from './query.ts'
import { quotedTable, TABLE, TABLE_NAME } from './table.ts'
import type { Transact } from './transaction.ts'

export interface TableOption {
  /**
   * The name of the table, with its schema if that is not on the search path. Anything but letters, digits
   * and underscores is a TypeError.
   * @default 'webhook_deliveries'
   */
  readonly table?: string | undefined
}

/** The options of the store. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface PostgresStoreOptions extends StoreOptions, TableOption {
  /** A `Pool` of pg, or one with the same methods. An idle connection that is lost does not end the process. */
  readonly pool?: PostgresPool<unknown> | undefined
  /** Instead of `pool`: sends a statement with another client, such as `(text, values) => sql.unsafe(text, values)`. */
  readonly query?: Query | undefined
}

/** The options of the store. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface PostgresTransactionalStoreOptions<Transaction> extends StoreOptions, TableOption {
  /**
   * A `Pool` of pg, or one with the same methods. Each handler that runs uses one of its connections, in READ COMMITTED.
   */
  readonly pool?: PostgresPool<Transaction> | undefined
  /**
   * Instead of `pool`: begins a transaction, runs `work` with its client and commits. If `work` rejects, it must roll back
   * and reject. It may run `work` again in a new transaction.
   */
  readonly transaction?: Transact<Transaction> | undefined
  /** Sends a statement in that transaction, such as `(client, text, values) => client.unsafe(text, values)`. */
  readonly query?:
    | ((client: Transaction, ...statement: Parameters<Query>) => PromiseLike<QueryResult>)
    | undefined
  /**
   * Sends a statement outside of any transaction, such as `(text, values) => sql.unsafe(text, values)`. After
   * COMMIT, the store uses it to check that the mark exists. It must ask the primary server, not a
   * replica. Anything but a function is a TypeError.
   * @default `query` in a separate `transaction`, which takes two more round trips
   */
  readonly confirm?: Query | undefined
}

/** What the options of a store need at least. */
export type PoolOr<Others extends string> =
  | { readonly pool: object }
  | { readonly [Name in Others]: unknown }

const QUERY = '(text, values) => sql.unsafe(text, values)'

const LEASE_OPTIONS: StoreOptionTable<PostgresStoreOptions> = {
  pool: [hidden(POOL)],
  query: [callback(QUERY)],
  table: [TABLE_NAME, TABLE],
}

const TRANSACTION_OPTIONS: StoreOptionTable<PostgresTransactionalStoreOptions<unknown>> = {
  pool: [hidden(POOL)],
  transaction: [callback('(work) => sql.begin(work)')],
  query: [callback('(client, text, values) => client.unsafe(text, values)')],
  confirm: [callback(QUERY)],
  table: [TABLE_NAME, TABLE],
}

/** The options of the lease store, with their defaults. */
interface LeaseValues extends Resolved<StoreOptions & TableOption> {
  readonly query: Query
  /** Whether `query` is that of a pool. */
  readonly pooled: boolean
}

/**
 * Checks the options of a store, fills in the defaults and quotes the name of the table.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveStoreOptions(options: unknown): LeaseValues {
  const { pool, query, table, retention } = checkStoreOptions<PostgresStoreOptions>(
    options,
    LEASE_OPTIONS,
    '{ pool }',
  )
  requireOne(pool, { query })
  return {
    query: pool ? ofPool(pool).outside : query,
    pooled: pool !== undefined,
    table: quotedTable(table),
    retention,
  }
}

/** The options of the transactional store, with their defaults. */
interface TransactionalValues extends Resolved<StoreOptions & TableOption> {
  readonly connection: Connection
}

/**
 * The checked options of a transactional store, with their defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveTransactionalOptions(options: unknown): TransactionalValues {
  const { pool, transaction, query, confirm, table, retention } = checkStoreOptions<
    PostgresTransactionalStoreOptions<unknown>
  >(options, TRANSACTION_OPTIONS, '{ pool }')
  requireOne(pool, { transaction, query })
  const connection = pool ? ofPool(pool) : { transaction, query, outside: confirm }
  return { connection, table: quotedTable(table), retention }
}

/** @throws TypeError where a store has no way to reach PostgreSQL, or two. */
function requireOne(pool: object | undefined, others: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(others).filter((name) => others[name] !== undefined)
  const names = Object.keys(others)
    .map((name) => `\`${name}\``)
    .join(' and ')
  if (pool && given.length > 0) {
    throw new TypeError(`Pass either \`pool\` or ${names}: they are two ways to reach PostgreSQL.`)
  }
  if (!pool && given.length < Object.keys(others).length) {
    throw new TypeError(
      `The store needs \`pool\`, such as a Pool of pg, or for another client ${names}.`,
    )
  }
}
/** A function of the application. A wrong value may be an address with a password, so it is not shown. */
function callback<Call>(example: string): Rule<Call | undefined> {
  return hidden(optional(functionRule<Call>(`a function, such as ${example}`)))
}
