import { describeLeases } from '@webhook-receiver/suites/stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, postgresStore, type Query } from '../src/index.ts'
import { rowsIn } from '../src/rows.ts'
import { type Leasing, leasesBy } from './clients.ts'
import { table } from './server.ts'

/** Runs every promise of the store with leases, with one client. */
export function describePostgresLeases(open: () => Promise<Leasing>): void {
  describe('postgresStore', () => {
    let client: Leasing
    const query: Query = (...statement) => client.query(...statement)

    beforeAll(async () => {
      client = await open()
      await migrate(query, { table })
    })
    afterAll(() => client?.close())

    describeLeases('the store', {
      open: (options) => postgresStore({ ...options, ...leasesBy(client), table }),
      async rowOf(key) {
        const text = `SELECT token, done, expires_at::text FROM ${table} WHERE key = $1`
        return [...rowsIn(await query(text, [key]))]
      },
      shared: true,
      // A write to a slow disk, on which everything else is tested too, has taken 2.9 seconds.
      lease: 4,
    })

    test('rejects with the error of PostgreSQL, and names a table that is missing', async () => {
      const missing = postgresStore({ ...leasesBy(client), table: `${table}_none` })
      await expect(missing.claim('key', 'token', 1)).rejects.toThrow(
        `The table "${table}_none" does not exist. Call migrate(query) before the first delivery`,
      )
      const rejecting = postgresStore({ query: () => query('SELECT 1/0', []), table })
      await expect(rejecting.claim('key', 'token', 1)).rejects.toThrow('division by zero')
    })
  })
}
