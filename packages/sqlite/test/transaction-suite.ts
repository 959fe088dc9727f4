import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { OpenedDatabase } from '@webhook-receiver/checks/sqlite.mjs'
import {
  createDeliveryHandler,
  createReceiver,
  type TransactionalDeliveryStore,
} from '@webhook-receiver/core'
import { signedRequest } from '@webhook-receiver/core/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, sqliteStore, sqliteTransactionalStore } from '../src/index.ts'

/** Runs every promise of the transactional store, with one driver. */
export function describeTransactions(open: () => OpenedDatabase): void {
  describe('sqliteTransactionalStore', () => {
    let database: OpenedDatabase
    let store: TransactionalDeliveryStore<OpenedDatabase>
    const opened: OpenedDatabase[] = []
    const connect = () => {
      const connection = open()
      opened.push(connection)
      return connection
    }
    const effect = (transaction: OpenedDatabase, key: string) => {
      transaction.prepare('INSERT INTO effects VALUES (?) RETURNING key').all(key)
    }
    /** As another connection sees them. */
    const rows = (key: string) => {
      const reader = open()
      const count = (table: string) =>
        reader.prepare(`SELECT key FROM ${table} WHERE key = ?`).all(key).length
      const counts = { effects: count('effects'), marks: count('webhook_deliveries') }
      reader.close()
      return counts
    }

    beforeAll(async () => {
      database = connect()
      await migrate(database)
      database.exec('CREATE TABLE IF NOT EXISTS effects (key TEXT)')
      store = sqliteTransactionalStore({ database })
    })
    afterAll(() => {
      for (const connection of opened) connection.close()
    })

    test('commits the mark with the effect, and does not run a duplicate', async () => {
      const work = async (transaction: OpenedDatabase) => {
        effect(transaction, 'together')
        expect(rows('together')).toEqual({ effects: 0, marks: 0 })
      }
      expect(await store.transact('together', work)).toEqual({ status: 'claimed' })
      expect(await store.transact('together', work)).toEqual({ status: 'done' })
      expect(rows('together')).toEqual({ effects: 1, marks: 1 })
    })

    test('gives the handler the connection', async () => {
      let got: unknown
      await store.transact('connection', async (transaction) => {
        got = transaction
      })
      expect(got).toBe(database)
    })

    test('rolls back both where the work rejects, and rejects with its error', async () => {
      const error = new Error('the handler failed')
      const failing = store.transact('failed', async (transaction) => {
        effect(transaction, 'failed')
        throw error
      })
      await expect(failing).rejects.toBe(error)
      expect(rows('failed')).toEqual({ effects: 0, marks: 0 })
      const retry = store.transact('failed', async (transaction) => effect(transaction, 'failed'))
      expect(await retry).toEqual({ status: 'claimed' })
      expect(rows('failed')).toEqual({ effects: 1, marks: 1 })
    })

    test('rolls back a handler that never ends after `abandonAfter`, and handles the next copy', async () => {
      const { delivery } = await createReceiver('whsec_test').receiveRequest(
        await signedRequest('whsec_test', 'message.received'),
      )
      const { id } = delivery
      const options = { store, onRejected: false, storeTimeout: 240 } as const
      const hanging = createDeliveryHandler(
        {
          any: (_, { transaction }) => {
            effect(transaction, id)
            return new Promise(() => {})
          },
        },
        { ...options, timeout: 0.05, abandonAfter: 0.05 },
      )
      await expect(hanging(delivery)).rejects.toMatchObject({ reason: 'handler_abandoned' })
      const handle = createDeliveryHandler(
        { any: (_, { transaction }) => effect(transaction, id) },
        { ...options, timeout: 240 },
      )
      await expect.poll(() => handle(delivery).catch(() => 'not yet')).toBe('completed')
      expect(rows(id)).toMatchObject({ effects: 1 })
    })

    test('responds to a concurrent duplicate at once, and handles another delivery afterwards', async () => {
      const handler = new EventEmitter()
      const started = once(handler, 'start')
      const order: string[] = []
      const first = store.transact('concurrent', async () => {
        handler.emit('start')
        await once(handler, 'finish')
        order.push('first')
      })
      await started
      const second = store.transact('after it', async () => {
        order.push('second')
      })
      const duplicate = await store.transact('concurrent', () => expect.unreachable())
      expect(duplicate).toEqual({ status: 'in_progress', retryAfter: 1 })
      handler.emit('finish')
      expect(await first).toEqual({ status: 'claimed' })
      expect(await second).toEqual({ status: 'claimed' })
      expect(order).toEqual(['first', 'second'])
      expect(await store.transact('concurrent', () => expect.unreachable())).toEqual({
        status: 'done',
      })
    })

    test('keeps the steps of a store with leases out of a transaction on the same connection', async () => {
      const leases = sqliteStore({ database })
      const handler = new EventEmitter()
      const started = once(handler, 'start')
      const failing = store.transact('fails slowly', async () => {
        handler.emit('start')
        await once(handler, 'finish')
        throw new Error('the handler failed')
      })
      await started
      const claim = leases.claim('beside it', 'token', 30)
      handler.emit('finish')
      await expect(failing).rejects.toThrow('the handler failed')
      expect(await claim).toEqual({ status: 'claimed' })
      expect(await leases.claim('beside it', 'other', 30)).toMatchObject({ status: 'in_progress' })
    })

    test('waits for the handler of another connection, and does not handle its delivery again', async () => {
      const other = sqliteTransactionalStore({ database: connect(), busyTimeout: 20 })
      const handler = new EventEmitter()
      const started = once(handler, 'start')
      const first = store.transact('elsewhere', async (transaction) => {
        effect(transaction, 'elsewhere')
        handler.emit('start')
        await once(handler, 'finish')
      })
      await started
      const copy = other.transact('elsewhere', () => expect.unreachable())
      handler.emit('finish')
      expect(await first).toEqual({ status: 'claimed' })
      expect(await copy).toEqual({ status: 'done' })
    })

    test('rejects where another connection writes for longer than `busyTimeout`', async () => {
      const impatient = sqliteTransactionalStore({ database: connect(), busyTimeout: 0.05 })
      const locked = store.transact('holds the lock', async () => {
        await expect(
          impatient.transact('waits too long', () => expect.unreachable()),
        ).rejects.toThrow('The database is locked')
      })
      expect(await locked).toEqual({ status: 'claimed' })
      expect(await impatient.transact('waits too long', async () => {})).toEqual({
        status: 'claimed',
      })
    })

    test('gives every connection its turn while another has much to do', async () => {
      const other = sqliteTransactionalStore({ database: connect(), busyTimeout: 20 })
      const done: string[] = []
      const busy = Array.from({ length: 100 }, async (_, index) => {
        await store.transact(`much ${index}`, () => delay(5))
        done.push('busy')
      })
      const turn = other.transact('little', async () => {}).then(() => done.push('other'))
      await Promise.all([...busy, turn])
      expect(done).toHaveLength(101)
      expect(done.at(-1)).toBe('busy')
    })

    test('has one effect for each of 50 deliveries that arrive 20 times at once', async () => {
      const stores = [store, sqliteTransactionalStore({ database: connect(), busyTimeout: 20 })]
      const receive = async (key: string, copy: number): Promise<void> => {
        const claim = await stores[copy % 2]?.transact(key, async (transaction) =>
          effect(transaction, key),
        )
        if (claim?.status !== 'in_progress') return
        await delay(20)
        await receive(key, copy)
      }
      const keys = Array.from({ length: 50 }, (_, index) => `copied ${index}`)
      await Promise.all(
        keys.flatMap((key) => Array.from({ length: 20 }, (_, copy) => receive(key, copy))),
      )
      for (const key of keys) expect(rows(key)).toEqual({ effects: 1, marks: 1 })
    })

    test('rejects with the error of the handler, and adds no advice of the store to it', async () => {
      const failing = store.transact('own table', async (transaction) => {
        transaction.exec('INSERT INTO nowhere VALUES (1)')
      })
      await expect(failing).rejects.toThrow(/no such table: nowhere$/)
    })

    test('commits the rest where the handler ignores a statement that failed', async () => {
      const claim = await store.transact('ignored', async (transaction) => {
        effect(transaction, 'ignored')
        expect(() => transaction.exec('INSERT INTO effects VALUES (1, 2)')).toThrow()
      })
      expect(claim).toEqual({ status: 'claimed' })
      expect(rows('ignored')).toEqual({ effects: 1, marks: 1 })
    })

    test('takes a savepoint for what it is', async () => {
      const claim = await store.transact('savepoint', async (transaction) => {
        transaction.exec('SAVEPOINT before')
        effect(transaction, 'savepoint')
        transaction.exec('ROLLBACK TO before')
        transaction.exec('SAVEPOINT again')
        effect(transaction, 'savepoint')
      })
      expect(claim).toEqual({ status: 'claimed' })
      expect(rows('savepoint')).toEqual({ effects: 1, marks: 1 })
    })

    test.each([
      ['COMMIT', 1],
      ['ROLLBACK', 0],
      ['COMMIT; BEGIN', 1],
      ['ROLLBACK; BEGIN', 0],
    ])('rejects where the handler itself says %s', async (end, marks) => {
      const key = `ended by ${end}`
      const ending = store.transact(key, async (transaction) => {
        transaction.exec(end)
        // It is not in the transaction of the mark, so it must not be kept.
        if (end.endsWith('BEGIN')) effect(transaction, key)
      })
      await expect(ending).rejects.toThrow('Do not send COMMIT or ROLLBACK in a handler.')
      expect(rows(key)).toEqual({ effects: 0, marks })
    })

    test('rejects where COMMIT fails, and commits nothing', async () => {
      database.exec('PRAGMA foreign_keys = ON')
      database.exec('CREATE TABLE IF NOT EXISTS parents (id INTEGER PRIMARY KEY)')
      database.exec(`CREATE TABLE IF NOT EXISTS children (
        parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)`)
      const orphan = store.transact('orphan', async (transaction) => {
        effect(transaction, 'orphan')
        transaction.exec('INSERT INTO children VALUES (7)')
      })
      await expect(orphan).rejects.toThrow('FOREIGN KEY constraint failed')
      expect(rows('orphan')).toEqual({ effects: 0, marks: 0 })
      expect(await store.transact('orphan', async () => {})).toEqual({ status: 'claimed' })
    })

    test('writes each COMMIT to the disk', async () => {
      const connection = connect()
      connection.exec('PRAGMA synchronous = NORMAL')
      await sqliteTransactionalStore({ database: connection }).transact('durable', async () => {})
      expect(connection.prepare('PRAGMA synchronous').all()).toEqual([{ synchronous: 2 }])
    })

    test('handles a delivery again that was forgotten, but not one that is being handled', async () => {
      const work = async (transaction: OpenedDatabase) => effect(transaction, 'forgotten')
      expect(await store.forget('forgotten')).toBe(false)
      await store.transact('forgotten', async (transaction) => {
        expect(await store.forget('forgotten')).toBe(false)
        await work(transaction)
      })
      expect(await store.forget('forgotten')).toBe(true)
      expect(await store.transact('forgotten', work)).toEqual({ status: 'claimed' })
      expect(rows('forgotten')).toEqual({ effects: 2, marks: 1 })
    })

    test('handles a delivery again when its retention is over', async () => {
      const short = sqliteTransactionalStore({ database, retention: 0.2 })
      expect(await short.transact('short', async () => {})).toEqual({ status: 'claimed' })
      const again = () => short.transact('short', async () => {})
      expect(await again()).toEqual({ status: 'done' })
      await expect.poll(again).toEqual({ status: 'claimed' })
    })

    test('knows the claims of a store with leases on the same table', async () => {
      const leases = sqliteStore({ database: connect() })
      const work = async () => {}
      await leases.claim('mixed', 'token', 30)
      expect(await store.transact('mixed', work)).toEqual({
        status: 'in_progress',
        retryAfter: expect.closeTo(30, -1),
      })
      await leases.complete('mixed', 'token')
      expect(await store.transact('mixed', work)).toEqual({ status: 'done' })
      await store.transact('mixed too', work)
      expect(await leases.claim('mixed too', 'token', 30)).toEqual({ status: 'done' })
      expect(await leases.release('mixed too', 'token')).toBe(false)
    })
  })
}
