import { PGlite, type Transaction } from '@electric-sql/pglite'
import { inTransaction, openPool } from '@webhook-receiver/checks/postgres.mjs'
import type pg from 'pg'
import postgres from 'postgres'
import type { PostgresTransactionalStoreOptions, Query } from '../src/index.ts'

export interface LeaseClient {
  readonly query: Query
  close(): Promise<unknown>
}

export interface Client<Transaction> extends LeaseClient {
  readonly transactional: Pick<
    PostgresTransactionalStoreOptions<Transaction>,
    'transaction' | 'query'
  >
}

// Each as the README says, but for the time that a busy machine is given.

export async function openPg(url: string): Promise<Client<pg.PoolClient>> {
  const pool = openPool({ connectionString: url, max: 5, connectionTimeoutMillis: 240_000 })
  return {
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
