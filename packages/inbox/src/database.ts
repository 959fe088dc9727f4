import { isRecord } from '@webhook-receiver/core/internal'

/** A value of a statement: `$1` is the first. */
type QueryValue = string | number

/** What a client resolves to: its rows, or an object with `rows`. */
type QueryResult = readonly unknown[] | { readonly rows: readonly unknown[] }

type Query<Client> = (
  client: Client,
  text: string,
  values: QueryValue[],
) => PromiseLike<QueryResult>

type Transact<Client> = (work: (client: Client) => Promise<void>) => PromiseLike<unknown>

/** A pool such as that of pg. */
interface InboxPool<Client> {
  query(text: string, values: QueryValue[]): PromiseLike<QueryResult>
  connect(): PromiseLike<Client>
  // As pg declares it: without this signature the compiler infers no client from its pool.
  connect(callback: (...result: never) => void): void
}

/** How the inbox reaches PostgreSQL: by a pool of pg, or by what an ORM has instead. */
export interface InboxConnection<Transaction> {
  /** A `Pool` of pg, or one with the same methods. Each handler that runs uses one of its connections. */
  readonly pool?: InboxPool<Transaction> | undefined
  /**
   * Instead of `pool`: begins a transaction, runs `work` with its client and commits. If `work` rejects, it must roll back and
   * reject.
   */
  readonly transaction?: Transact<Transaction> | undefined
  /** And sends a statement in that transaction, such as `(client, text, values) => client.query(text, values)`. */
  readonly query?: Query<Transaction> | undefined
}

export type Row = Readonly<Record<string, unknown>>

/** Sends a statement, and gives its rows. */
export type Ask = (text: string, ...values: QueryValue[]) => Promise<readonly Row[]>

export interface Database {
  /** Sends a statement in its own transaction. */
  readonly ask: Ask
  /** Runs `work` in a transaction, with its client and a function that sends statements in it. */
  transact(work: (client: unknown, ask: Ask) => Promise<void>): Promise<void>
}

/** @throws TypeError where neither way is given. */
export function databaseOf(connection: InboxConnection<unknown>): Database {
  const { pool, transaction = pool && inPool(pool), query = pool && inClient } = connection
  if (!(transaction && query)) {
    throw new TypeError('An inbox needs a `pool`, or `transaction` and `query`.')
  }
  const transact: Database['transact'] = async (work) => {
    await transaction((client) =>
      work(client, async (text, ...values) => rowsOf(await query(client, text, values))),
    )
  }
  return {
    transact,
    async ask(text, ...values) {
      if (pool) return rowsOf(await pool.query(text, values))
      let rows: readonly Row[] = []
      await transact(async (_client, ask) => {
        rows = await ask(text, ...values)
      })
      return rows
    },
  }
}

/** What is used of the clients of a pool. */
interface PoolClient {
  query(text: string, values?: QueryValue[]): PromiseLike<QueryResult>
  release(broken?: unknown): void
}

// The option promises a pool whose clients have the methods of those of pg.
const inClient: Query<unknown> = (client, ...statement) =>
  (client as PoolClient).query(...statement)

function inPool(pool: InboxPool<unknown>): Transact<unknown> {
  return async (work) => {
    const client = (await pool.connect()) as PoolClient
    try {
      await client.query('BEGIN')
      await work(client)
      await client.query('COMMIT')
      client.release()
    } catch (error) {
      const end = (broken?: unknown) => client.release(broken)
      await client.query('ROLLBACK').then(() => end(), end)
      throw error
    }
  }
}

function rowsOf(result: unknown): readonly Row[] {
  const rows = isRecord(result) ? result.rows : result
  if (Array.isArray(rows) && rows.every(isRecord)) return rows
  throw new Error('`query` resolved to neither rows nor an object with `rows`, each an object.')
}
