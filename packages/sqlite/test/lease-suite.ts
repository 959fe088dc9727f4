import type { OpenedDatabase } from '@webhook-receiver/checks/sqlite.mjs'
import { describeStore } from '@webhook-receiver/conformance'
import { createDeliveryHandler, parseStoredDelivery } from '@webhook-receiver/core'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { describeLeases } from '@webhook-receiver/suites/stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, sqliteStore } from '../src/index.ts'

/** Runs every promise of the store with leases, with one driver. */
export function describeSqliteLeases(open: () => OpenedDatabase): void {
  describe('sqliteStore', () => {
    let database: OpenedDatabase
    const opened: OpenedDatabase[] = []
    const connect = () => {
      const connection = open()
      opened.push(connection)
      return connection
    }

    beforeAll(async () => {
      database = connect()
      await migrate(database)
    })
    afterAll(() => {
      for (const connection of opened) connection.close()
    })

    // Each with a separate connection, as in processes of their own.
    describeLeases('the store', {
      open: (options) => sqliteStore({ ...options, database: connect() }),
      rowOf: (key) =>
        database
          .prepare('SELECT token, done, expires_at FROM webhook_deliveries WHERE key = ?')
          .all(key)
          .map((row) => ({ ...Object(row) })),
      shared: true,
    })
    describe.concurrent('stores on one connection', () =>
      describeStore('conformance', (setup) => sqliteStore({ ...setup, database }), {
        shared: true,
      }))

    test('waits for another connection without blocking, and responds to duplicates meanwhile', async () => {
      const patient = connect()
      // Were it to wait so long by itself, the store would give up.
      patient.exec('PRAGMA busy_timeout = 4000')
      const store = sqliteStore({ database: patient, busyTimeout: 3 })
      await store.claim('done before', 'token', 30)
      await store.complete('done before', 'token')
      await store.claim('claimed before', 'token', 30)
      const writer = connect()
      writer.exec('BEGIN IMMEDIATE')
      const claim = store.claim('waits', 'token', 30)
      const others = sqliteStore({ database: connect() })
      expect(await others.claim('done before', 'other', 30)).toEqual({ status: 'done' })
      expect(await others.claim('claimed before', 'other', 30)).toMatchObject({
        status: 'in_progress',
      })
      // The store of this event loop waits, so this line is reached only because it does not block.
      writer.exec('COMMIT')
      expect(await claim).toEqual({ status: 'claimed' })
    })

    test('rejects where another connection writes for longer than `busyTimeout`', async () => {
      const impatient = connect()
      impatient.exec('PRAGMA busy_timeout = 1234')
      const store = sqliteStore({ database: impatient, busyTimeout: 0.05 })
      const writer = connect()
      writer.exec('BEGIN IMMEDIATE')
      const steps = [
        store.claim('locked', 'token', 30),
        store.complete('locked', 'token'),
        store.release('locked', 'token'),
        store.extend('locked', 'token', 30),
      ]
      for (const result of await Promise.allSettled(steps)) {
        expect(result).toMatchObject({
          status: 'rejected',
          reason: {
            message: expect.stringContaining('The database is locked'),
            code: expect.stringContaining('SQLITE_'),
          },
        })
      }
      writer.exec('ROLLBACK')
      expect(await store.claim('locked', 'token', 30)).toEqual({ status: 'claimed' })
      const [row] = impatient.prepare('PRAGMA busy_timeout').all()
      expect(row).toEqual({ timeout: 1234 })
    })

    test.each([
      [
        'names a table that is missing',
        'no such table: none. Call migrate(database) before the first delivery',
        () => {},
      ],
      [
        'says that the database was closed',
        'Close the database after the server',
        (connection: OpenedDatabase) => connection.close(),
      ],
    ])('%s, in the detail of the rejection too', async (_, detail, spoil) => {
      const connection = open()
      const missing = sqliteStore({ database: connection, table: 'none' })
      spoil(connection)
      const handle = createDeliveryHandler(() => {}, { store: missing })
      const delivery = parseStoredDelivery(sampleDelivery('message.received'))
      await expect(handle(delivery)).rejects.toMatchObject({
        reason: 'store_unavailable',
        detail: expect.stringContaining(detail),
      })
    })

    test('rejects on a connection that is in a transaction of somebody else', async () => {
      const busy = connect()
      busy.exec('BEGIN')
      const store = sqliteStore({ database: busy })
      await expect(store.claim('foreign', 'token', 1)).rejects.toThrow(
        'inside a transaction. Give the store a connection of its own.',
      )
      busy.exec('ROLLBACK')
      expect(await store.claim('foreign', 'token', 1)).toEqual({ status: 'claimed' })
    })

    test('may be migrated by many connections at once', async () => {
      const table = 'at_once'
      await Promise.all(Array.from({ length: 20 }, () => migrate(connect(), { table })))
      const store = sqliteStore({ database, table })
      expect(await store.claim('key', 'token', 1)).toEqual({ status: 'claimed' })
      expect(database.prepare('PRAGMA journal_mode').all()).toEqual([{ journal_mode: 'wal' }])
    })
  })
}
