import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { OpenedDatabase } from '@webhook-receiver/checks/sqlite.mjs'
import type { TransactionalDeliveryStore } from '@webhook-receiver/core'
import { describeTransactions } from '@webhook-receiver/suites/stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, sqliteStore, sqliteTransactionalStore } from '../src/index.ts'

/** Runs every promise of the transactional store, with one driver. */
export function describeSqliteTransactions(open: () => OpenedDatabase): void {
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

    describeTransactions({
      open: (options) =>
        sqliteTransactionalStore({ ...options, database: connect(), busyTimeout: 20 }),
      leases: () => sqliteStore({ database: connect() }),
      run: (transaction, sql) => transaction.exec(sql),
      effect,
      rowsOf: rows,
      ends: ['COMMIT', 'ROLLBACK', 'COMMIT; BEGIN', 'ROLLBACK; BEGIN'],
    })

    beforeAll(async () => {
      database = connect()
      await migrate(database)
      database.exec('CREATE TABLE IF NOT EXISTS effects (key TEXT)')
      store = sqliteTransactionalStore({ database })
    })
    afterAll(() => {
      for (const connection of opened) connection.close()
    })

    test('keeps the steps of a store with leases out of a transaction on the same connection', async () => {
      const leases = sqliteStore({ database })
      const { started, handle, finish } = gate()
      const failing = store.transact('fails slowly', async () => {
        await handle()
        throw new Error('the handler failed')
      })
      await started
      const claim = leases.claim('beside it', 'token', 30)
      finish()
      await expect(failing).rejects.toThrow('the handler failed')
      expect(await claim).toEqual({ status: 'claimed' })
      expect(await leases.claim('beside it', 'other', 30)).toMatchObject({ status: 'in_progress' })
    })

    test('says what to do where its table is missing', async () => {
      const missing = sqliteTransactionalStore({ database, table: 'none' })
      await expect(missing.transact('key', () => expect.unreachable())).rejects.toThrow(
        'Call migrate(database) before the first delivery',
      )
    })

    test('waits for the handler of another connection, and does not handle its delivery again', async () => {
      const other = sqliteTransactionalStore({ database: connect(), busyTimeout: 20 })
      const { started, handle, finish } = gate()
      const first = store.transact('elsewhere', async (transaction) => {
        effect(transaction, 'elsewhere')
        await handle()
      })
      await started
      const copy = other.transact('elsewhere', () => expect.unreachable())
      finish()
      expect(await first).toEqual({ status: 'claimed' })
      expect(await copy).toEqual({ status: 'done' })
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

    test('says why nothing can be committed where the handler ignores that the disk is full', async () => {
      const connection = connect()
      connection.exec('PRAGMA max_page_count = 1')
      const full = sqliteTransactionalStore({ database: connection }).transact('full', async () => {
        effect(connection, 'full')
        const large = `INSERT INTO effects VALUES (hex(zeroblob(100000)))`
        expect(() => connection.exec(large)).toThrow('full')
      })
      await expect(full).rejects.toThrow('Do not catch the error of a full disk')
      expect(rows('full')).toEqual({ effects: 0, marks: 0 })
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
  })
}

/** A handler that waits in the middle. */
function gate() {
  const events = new EventEmitter()
  const finished = once(events, 'finish')
  return {
    started: once(events, 'start'),
    async handle() {
      events.emit('start')
      await finished
    },
    finish: () => events.emit('finish'),
  }
}
