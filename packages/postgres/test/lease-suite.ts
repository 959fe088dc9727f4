import { describeStore } from '@webhook-receiver/conformance'
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
      await store.claim('running', 'token', 7.5)
      const claim = await store.claim('running', 'other', 60)
      expect(claim).toEqual({ status: 'in_progress', retryAfter: expect.closeTo(7.4, 0) })
    })

    test('gives a step that is sent again the answer of the first time', async () => {
      const store = postgresStore({ query, table })
      expect(await store.claim('again', 'token', 30)).toEqual({ status: 'claimed' })
      expect(await store.claim('again', 'token', 30)).toEqual({ status: 'claimed' })
      expect(await store.complete('again', 'token')).toBe(true)
      expect(await store.complete('again', 'token')).toBe(true)
      expect(await store.complete('again', 'other')).toBe(false)
      expect(await store.claim('again', 'token', 30)).toEqual({ status: 'done' })
    })

    test('rejects with the error of PostgreSQL, and names a table that is missing', async () => {
      const missing = postgresStore({ query, table: `${table}_none` })
      await expect(missing.claim('key', 'token', 1)).rejects.toThrow(
        `There is no table "${table}_none": call migrate(query) before the first delivery`,
      )
      const refusing = postgresStore({ query: () => query('SELECT 1/0', []), table })
      await expect(refusing.claim('key', 'token', 1)).rejects.toThrow('division by zero')
    })
  })
}
