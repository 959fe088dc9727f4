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
import type { Query, QueryResult } from './query.ts'
import { quotedTable, TABLE, TABLE_NAME } from './table.ts'

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
  /** Sends a statement with the client of the application, such as `(text, values, name) => pool.query({ text, values, name })`. */
  readonly query: Query
}

/** The options of the store. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface PostgresTransactionalStoreOptions<Transaction> extends StoreOptions, TableOption {
  /**
   * Begins a transaction, runs `work` with its client and commits. If `work` rejects, it must roll back
   * and reject. It may run `work` again in a new transaction.
   */
  readonly transaction: (work: (client: Transaction) => Promise<void>) => PromiseLike<unknown>
  /** Sends a statement in that transaction, such as `(client, text, values, name) => client.query({ text, values, name })`. */
  readonly query: (client: Transaction, ...statement: Parameters<Query>) => PromiseLike<QueryResult>
  /**
   * Sends a statement outside of any transaction, such as `(text, values, name) => pool.query({ text, values, name })`. After
   * COMMIT, the store uses it to check that the mark exists. It must ask the primary server, not a
   * replica. Anything but a function is a TypeError.
   * @default `query` in a separate `transaction`, which takes two more round trips
   */
  readonly confirm?: Query | undefined
}

const QUERY = '(text, values, name) => pool.query({ text, values, name })'

const IN_TRANSACTION = '(client, text, values, name) => client.query({ text, values, name })'

const LEASE_OPTIONS: StoreOptionTable<PostgresStoreOptions> = {
  query: [callback(QUERY)],
  table: [TABLE_NAME, TABLE],
}

const TRANSACTION_OPTIONS: StoreOptionTable<PostgresTransactionalStoreOptions<never>> = {
  transaction: [callback('(work) => sql.begin(work)')],
  query: [callback(IN_TRANSACTION)],
  confirm: [optional(callback<Query>(QUERY))],
  table: [TABLE_NAME, TABLE],
}

/**
 * Checks the options of a store, fills in the defaults and quotes the name of the table.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveStoreOptions(options: unknown): Resolved<PostgresStoreOptions> {
  const checked = checkStoreOptions<PostgresStoreOptions>(
    options,
    LEASE_OPTIONS,
    `{ query: ${QUERY} }`,
  )
  return { ...checked, table: quotedTable(checked.table) }
}

/** The checked options of a transactional store, with their defaults. */
export function resolveTransactionalOptions<Transaction>(
  options: PostgresTransactionalStoreOptions<Transaction>,
): PostgresTransactionalStoreOptions<Transaction> & Resolved<StoreOptions & TableOption> {
  const example = `{ transaction: (work) => sql.begin(work), query: ${IN_TRANSACTION} }`
  const { table, retention } = checkStoreOptions<PostgresTransactionalStoreOptions<never>>(
    options,
    TRANSACTION_OPTIONS,
    example,
  )
  return { ...options, table: quotedTable(table), retention }
}

/** A function of the application. A wrong value may be an address with a password, so it is not shown. */
function callback<Call>(example: string): Rule<Call> {
  return hidden(functionRule<Call>(`a function, such as ${example}`))
}
