import { describeStore } from '@webhook-receiver/conformance'
import type { DeliveryStore } from '@webhook-receiver/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, postgresStore, type Query } from '../src/index.ts'
import type { LeaseClient } from './clients.ts'
import { table } from './server.ts'

/** Runs every promise of the store with leases, with one client. */
export function describeLeases(open: () => Promise<LeaseClient>): void {
  describe('postgresStore', () => {
    let client: LeaseClient
    const query: Query = (text, values) => client.query(text, values)

    beforeAll(async () => {
      client = await open()
      await migrate(query, { table })
    })
    afterAll(() => client?.close())

    describeStore('the store', (setup) => postgresStore({ ...setup, query, table }), {
      shared: true,
    })

    test('says how long the lease of another still runs', async () => {
      const store = postgresStore({ query, table })
      await store.claim('running', 'token', 75)
      const claim = await store.claim('running', 'other', 60)
      expect(claim).toEqual({ status: 'in_progress', retryAfter: expect.closeTo(75, -1) })
    })

    test('gives a step that is retried the result of the first time', async () => {
      const store = postgresStore({ query, table })
      expect(await store.claim('again', 'token', 30)).toEqual({ status: 'claimed' })
      expect(await store.claim('again', 'token', 30)).toEqual({ status: 'claimed' })
      expect(await store.complete('again', 'token')).toBe(true)
      expect(await store.complete('again', 'token')).toBe(true)
      expect(await store.complete('again', 'other')).toBe(false)
      expect(await store.claim('again', 'token', 30)).toEqual({ status: 'done' })
    })

    test.each([
      ['extend', (store: DeliveryStore, key: string) => store.extend(key, 'token', 30)],
      ['complete', (store: DeliveryStore, key: string) => store.complete(key, 'token')],
      ['release', (store: DeliveryStore, key: string) => store.release(key, 'token')],
    ])('returns false to %s after the lease ran out, and changes nothing', async (step, ask) => {
      const store = postgresStore({ query, table })
      const key = `ran out before ${step}`
      const row = async () => {
        const text = `SELECT token, done, expires_at::text FROM ${table} WHERE key = $1`
        const result = await query(text, [key])
        return 'rows' in result ? [...result.rows] : [...result]
      }
      expect(await store.claim(key, 'token', 0.1)).toEqual({ status: 'claimed' })
      const claimed = await row()
      await query('SELECT pg_sleep(0.2)', [])
      expect(await ask(store, key)).toBe(false)
      expect(await row()).toEqual(claimed)
      expect(claimed).toEqual([{ token: 'token', done: false, expires_at: expect.any(String) }])
      expect(await store.claim(key, 'other', 30)).toEqual({ status: 'claimed' })
    })

    test('rejects with the error of PostgreSQL, and names a table that is missing', async () => {
      const missing = postgresStore({ query, table: `${table}_none` })
      await expect(missing.claim('key', 'token', 1)).rejects.toThrow(
        `The table "${table}_none" does not exist. Call migrate(query) before the first delivery`,
      )
      const rejecting = postgresStore({ query: () => query('SELECT 1/0', []), table })
      await expect(rejecting.claim('key', 'token', 1)).rejects.toThrow('division by zero')
    })
  })
}
