import {
  checkOptions,
  functionRule,
  hidden,
  type OptionTable,
  optional,
  RETENTION,
  type Rule,
} from '@webhook-receiver/core/options'
import type { Query, QueryAnswer, QueryValue } from './query.ts'
import { quotedTable, TABLE, TABLE_NAME } from './table.ts'

/** The options of the store. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface PostgresStoreOptions extends CommonOptions {
  /** Sends a statement with the client of the application, such as `(text, values) => pool.query(text, values)`. */
  readonly query: Query
}

/** The options of the store. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface PostgresTransactionalStoreOptions<Transaction> extends CommonOptions {
  /**
   * Begins a transaction, runs `work` with its client and commits. If `work` rejects, it must roll back
   * and reject. It may run `work` again in a new transaction.
   */
  readonly transaction: (work: (client: Transaction) => Promise<void>) => PromiseLike<unknown>
  /** Sends a statement in that transaction, such as `(client, text, values) => client.query(text, values)`. */
  readonly query: (
    client: Transaction,
    text: string,
    values: QueryValue[],
  ) => PromiseLike<QueryAnswer>
  /**
   * Sends a statement outside of any transaction, such as `(text, values) => pool.query(text, values)`. After
   * COMMIT, the store uses it to check that the mark exists. It must ask the primary server, not a
   * replica. Anything but a function is a TypeError.
   * @default `query` in a `transaction` of its own, which takes two more round trips
   */
  readonly confirm?: Query | undefined
}

interface CommonOptions {
  /**
   * The name of the table, with its schema if that is not on the search path. Anything but letters, digits
   * and underscores is a TypeError.
   * @default 'webhook_deliveries'
   */
  readonly table?: string | undefined
  /**
   * How long a done mark is kept, in seconds. Anything but a number above 0 is a TypeError.
   * @default 259_200
   */
  readonly retention?: number | undefined
}

/** The options with every default in its place, and the name of the table quoted. */
export type ResolvedOptions<Options> = Options & {
  readonly table: string
  readonly retention: number
}

/** The default, in the unit of the option: 72 hours. */
export const DEFAULTS = { retention: 259_200 } as const

/** What the options of both stores have in common. */
const COMMON = {
  table: [TABLE_NAME, TABLE],
  retention: [RETENTION, DEFAULTS.retention],
} as const

const STORE_OPTIONS = {
  query: [callback<Query>('(text, values) => pool.query(text, values)')],
  ...COMMON,
} as const satisfies {
  readonly [Name in keyof Required<PostgresStoreOptions>]: OptionTable[string]
}

const TRANSACTIONAL_OPTIONS = {
  transaction: [callback('(work) => sql.begin(work)')],
  query: [callback('(client, text, values) => client.query(text, values)')],
  confirm: [optional(callback<Query>('(text, values) => pool.query(text, values)'))],
  ...COMMON,
} as const satisfies {
  readonly [Name in keyof Required<PostgresTransactionalStoreOptions<never>>]: OptionTable[string]
}

/**
 * Checks the options of a store and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveStoreOptions(
  options: PostgresStoreOptions,
): ResolvedOptions<PostgresStoreOptions> {
  const example = '{ query: (text, values) => pool.query(text, values) }'
  const { table, ...others } = checkOptions(options, STORE_OPTIONS, example)
  return { ...others, table: quotedTable(table) }
}

/** The same for a transactional store. */
export function resolveTransactionalOptions<Transaction>(
  options: PostgresTransactionalStoreOptions<Transaction>,
): ResolvedOptions<PostgresTransactionalStoreOptions<Transaction>> {
  const example =
    '{ transaction: (work) => sql.begin(work), query: (client, text, values) => client.query(text, values) }'
  const { table, retention } = checkOptions(options, TRANSACTIONAL_OPTIONS, example)
  return { ...options, table: quotedTable(table), retention }
}

/** A function of the application. A wrong value may be an address with a password, so it is not shown. */
function callback<Call>(example: string): Rule<Call> {
  return hidden(functionRule<Call>(`a function, such as ${example}`))
}
