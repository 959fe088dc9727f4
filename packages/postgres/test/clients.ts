import { PGlite, type Transaction } from '@electric-sql/pglite'
import { inTransaction, openPool } from '@webhook-receiver/checks/postgres.mjs'
import type pg from 'pg'
import postgres from 'postgres'
import type { PostgresTransactionalStoreOptions, Query } from '../src/index.ts'

type Options<Transaction> = PostgresTransactionalStoreOptions<Transaction>

export interface Client<Transaction> {
  readonly query: Query
  /** A transaction of the test, or of a store. */
  readonly transactional: {
    readonly [Name in 'transaction' | 'query']: NonNullable<Options<Transaction>[Name]>
  }
  /** What the stores are made with in place of functions. */
  readonly pool?: NonNullable<Options<Transaction>['pool']>
  close(): Promise<unknown>
}

/** What a store with leases needs of a client. */
export type Leasing = Pick<Client<unknown>, 'pool' | 'query' | 'close'>

/** What a store with leases is made with. */
export function leasesBy({ pool, query }: Leasing) {
  return pool ? { pool } : { query }
}

/** What a transactional store is made with. */
export function transactionsBy<Transaction>({ pool, transactional }: Client<Transaction>) {
  return pool ? { pool } : transactional
}

// Each as the README says, but for the time that a busy machine is given.

export async function openPg(
  url: string,
  options: pg.PoolConfig & { pipeline?: boolean } = {},
): Promise<Client<pg.PoolClient> & { readonly pool: pg.Pool }> {
  const pool = openPool({
    connectionString: url,
    max: 5,
    connectionTimeoutMillis: 240_000,
    ...options,
  })
  return {
    pool,
    query: (text, values, name) => pool.query({ text, values, name }),
    transactional: {
      transaction: (work) => inTransaction(pool, work),
      query: (client, text, values, name) => client.query({ text, values, name }),
    },
    close: () => pool.end(),
  }
}

export async function openPostgresJs(
  url: string,
  options: postgres.Options<never> = {},
  /** Behind a pooler, postgres.js loses results of what it has prepared. */
  prepare = false,
): Promise<Client<postgres.TransactionSql>> {
  const sql = postgres(url, { max: 5, connect_timeout: 240, onnotice: () => {}, ...options })
  return {
    query: (text, values) => sql.unsafe(text, values, { prepare }),
    transactional: {
      transaction: (work) => sql.begin(work),
      query: (client, text, values) => client.unsafe(text, values, { prepare }),
    },
    close: () => sql.end({ timeout: 1 }),
  }
}

export async function openPglite(): Promise<Client<Transaction>> {
  const db = await PGlite.create()
  return {
    query: (text, values) => db.query(text, values),
    transactional: {
      transaction: (work) => db.transaction(work),
      query: (client, text, values) => client.query(text, values),
    },
    close: () => db.close(),
  }
}
