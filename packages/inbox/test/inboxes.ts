import { randomBytes } from 'node:crypto'
import {
  DATABASE_URL,
  openPool,
  postgresProblem,
  queryPostgres,
} from '@webhook-receiver/checks/postgres.mjs'
import pg from 'pg'

/** Why it does not respond. The tests that need it are then skipped; in CI that is a failure. */
export const unreachable: string | undefined = await postgresProblem()

export { DATABASE_URL, queryPostgres }

/** A table that no other file or run uses, and one for the effects of handlers. */
export function tables() {
  const table = `inbox_test_${randomBytes(8).toString('hex')}`
  return { table, effects: `${table}_effects` }
}

/** The tables of an inbox, as a list for a statement. */
export function tablesOfInbox(table: string): string {
  return `${table}, ${table}_open, ${table}_ended`
}

/** Keeps no connection that it does not need: several runs of the tests may share a server, which has 100. */
export const SHARING = {
  connectionString: DATABASE_URL,
  connectionTimeoutMillis: 60_000,
  idleTimeoutMillis: 500,
} as const

/** A pool that pipelines. */
export function createPool(url: string = DATABASE_URL): pg.Pool {
  return openPool({ ...SHARING, connectionString: url, pipeline: true })
}

/** A pool whose connections have a setting of PostgreSQL. */
export function poolWith(setting: string): pg.Pool {
  const url = new URL(DATABASE_URL)
  url.searchParams.set('options', `-c ${setting}`)
  return new pg.Pool({ connectionString: url.href })
}

/** What a receiver for Stripe hands to its handler. */
export function stripeDelivery(id: string, customer?: string) {
  const event: string = 'invoice.paid'
  const data: Readonly<Record<string, unknown>> = { id, type: event, customer }
  return { scheme: 'stripe', id, event, data } as const
}

export type StripeDelivery = ReturnType<typeof stripeDelivery>

/** What a receiver says of a delivery at the endpoint of its service. */
export const verified = (key: string, endpoint = 'stripe') => ({ verification: { endpoint, key } })

export type Verified = ReturnType<typeof verified>
