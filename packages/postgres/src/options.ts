import type { Query, QueryAnswer, QueryValue } from './query.ts'
import { checkedSeconds } from './seconds.ts'
import { quotedTable, TABLE } from './table.ts'

/** Each is checked once, when the store is made; a wrong one is a TypeError. */
export interface PostgresStoreOptions extends CommonOptions {
  /** Sends a statement with the client of the application, such as `(text, values) => pool.query(text, values)`. */
  readonly query: Query
}

/** Each is checked once, when the store is made; a wrong one is a TypeError. */
export interface PostgresTransactionalStoreOptions<Transaction> extends CommonOptions {
  /**
   * Begins a transaction, runs `work` with its client and commits; where `work` rejects, it rolls back
   * and rejects. It may run `work` again in a new transaction.
   */
  readonly transaction: (work: (client: Transaction) => Promise<void>) => PromiseLike<unknown>
  /** Sends a statement in that transaction, such as `(client, text, values) => client.query(text, values)`. */
  readonly query: (
    client: Transaction,
    text: string,
    values: QueryValue[],
  ) => PromiseLike<QueryAnswer>
  /**
   * Sends a statement outside of any transaction, such as `(text, values) => pool.query(text, values)`. The
   * store uses it after COMMIT, to look whether the mark is there. It must ask the server that commits,
   * and no replica. Anything but a function is a TypeError.
   * @default `query` in a `transaction` of its own, which takes two more round trips
   */
  readonly confirm?: Query | undefined
}

interface CommonOptions {
  /**
   * Name of the table, with its schema where it is not on the search path. Anything but letters, digits
   * and underscores is a TypeError.
   * @default 'webhook_deliveries'
   */
  readonly table?: string | undefined
  /**
   * How long a delivery is known to be handled, in seconds. Anything but a number above 0 is a TypeError.
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

const EXAMPLES = {
  query: '(text, values) => pool.query(text, values)',
  transaction: '(work) => sql.begin(work)',
  confirm: '(text, values) => pool.query(text, values)',
} as const

const TRANSACTIONAL_EXAMPLES = {
  ...EXAMPLES,
  query: '(client, text, values) => client.query(text, values)',
} as const

/**
 * Judges the options of a store and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions<Options extends CommonOptions>(
  options: Options,
  functions: readonly ('query' | 'transaction')[],
  optional: readonly 'confirm'[] = [],
): ResolvedOptions<Options> {
  const examples = functions.includes('transaction') ? TRANSACTIONAL_EXAMPLES : EXAMPLES
  if (typeof options !== 'object' || options === null) {
    const members = functions.map((name) => `${name}: ${examples[name]}`).join(', ')
    throw new TypeError(`Give the options as an object, such as { ${members} }.`)
  }
  const names = [...functions, ...optional]
  for (const name of names) {
    const given: unknown = Reflect.get(options, name)
    if (typeof given === 'function') continue
    if (given === undefined && name === 'confirm') continue
    throw new TypeError(
      `\`${name}\` should be a function, such as ${examples[name]}; got ${typeof given}.`,
    )
  }
  refuseUnknown(Object.keys(options), [...names, 'table', 'retention'])
  const { table = TABLE, retention = DEFAULTS.retention } = options
  return {
    ...options,
    table: quotedTable(table),
    retention: checkedSeconds('retention', retention),
  }
}

function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new TypeError(
    `There is no option ${JSON.stringify(unknown)}. The options are: ${known.join(', ')}.`,
  )
}
