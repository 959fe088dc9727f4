import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { createDeliveryHandler, createReceiver } from '@webhook-receiver/core'
import { rejection } from '@webhook-receiver/core/adapter'
import { signedRequest } from '@webhook-receiver/core/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, postgresStore, postgresTransactionalStore } from '../src/index.ts'
import type { Client } from './clients.ts'
import { effects, table } from './server.ts'

/** Runs every promise of the transactional store, with one client. */
export function describeTransactions<Transaction>(
  open: () => Promise<Client<Transaction>>,
  /** Whether the client has more than one connection. */
  parallel: boolean,
  /** Whether the client rejects a statement on a connection that was closed. postgres.js throws outside of its promise. */
  rejectsClosed = true,
): void {
  describe('postgresTransactionalStore', () => {
    let client: Client<Transaction>
    const store = postgresTransactionalStore<Transaction>({
      table,
      transaction: (work) => client.transactional.transaction(work),
      query: (...statement) => client.transactional.query(...statement),
    })
    const run = (transaction: Transaction, text: string, ...values: string[]) =>
      client.transactional.query(transaction, text, values)
    const effect = async (transaction: Transaction, key: string) => {
      await run(transaction, `INSERT INTO ${effects} (key) VALUES ($1)`, key)
    }
    const rows = async (key: string) => {
      const count = `SELECT
        (SELECT count(*)::int FROM ${effects} WHERE key = $1) AS effects,
        (SELECT count(*)::int FROM ${table} WHERE key = $1) AS marks`
      const result = await client.query(count, [key])
      return ('rows' in result ? result.rows : result)[0]
    }

    beforeAll(async () => {
      client = await open()
      await migrate((text, values) => client.query(text, values), { table })
      await client.query(`CREATE TABLE IF NOT EXISTS ${effects} (key text)`, [])
    })
    afterAll(() => client?.close())

    test('commits the mark with the effect, and does not run a duplicate', async () => {
      const work = (transaction: Transaction) => effect(transaction, 'together')
      expect(await store.transact('together', work)).toEqual({ status: 'claimed' })
      expect(await store.transact('together', work)).toEqual({ status: 'done' })
      expect(await rows('together')).toEqual({ effects: 1, marks: 1 })
    })

    test('rolls back both where the work rejects, and rejects with its error', async () => {
      const error = new Error('the handler failed')
      const failing = store.transact('failed', async (transaction) => {
        await effect(transaction, 'failed')
        throw error
      })
      await expect(failing).rejects.toBe(error)
      expect(await rows('failed')).toEqual({ effects: 0, marks: 0 })
      const retry = await store.transact('failed', (transaction) => effect(transaction, 'failed'))
      expect(retry).toEqual({ status: 'claimed' })
      expect(await rows('failed')).toEqual({ effects: 1, marks: 1 })
    })

    test.runIf(parallel)(
      'resolves for a concurrent duplicate before the first is done',
      async () => {
        const handler = new EventEmitter()
        const started = once(handler, 'start')
        const first = store.transact('concurrent', async () => {
          handler.emit('start')
          await once(handler, 'finish')
        })
        await started
        const duplicate = await store.transact('concurrent', () => expect.unreachable())
        expect(duplicate).toEqual({ status: 'in_progress', retryAfter: 1 })
        handler.emit('finish')
        expect(await first).toEqual({ status: 'claimed' })
        expect(await store.transact('concurrent', () => expect.unreachable())).toEqual({
          status: 'done',
        })
      },
    )

    test('has one effect for each of 50 deliveries that arrive 20 times at once', async () => {
      const receive = async (key: string): Promise<void> => {
        const claim = await store.transact(key, (transaction) => effect(transaction, key))
        if (claim.status !== 'in_progress') return
        await delay(20)
        await receive(key)
      }
      const keys = Array.from({ length: 50 }, (_, index) => `copied ${index}`)
      await Promise.all(keys.flatMap((key) => Array.from({ length: 20 }, () => receive(key))))
      for (const key of keys) expect(await rows(key)).toEqual({ effects: 1, marks: 1 })
    })

    /** Runs a handler that is abandoned when `hang` resolves, and resolves to the transaction, which it may still use. */
    async function abandon(key: string, hang: (transaction: Transaction) => unknown) {
      const error = rejection('handler_abandoned', { seconds: 900 })
      let used: Transaction | undefined
      const abandoned = store.transact(key, async (transaction) => {
        used = transaction
        await effect(transaction, key)
        await hang(transaction)
        throw error
      })
      await expect(abandoned).rejects.toBe(error)
      return used as Transaction
    }
    const next = (key: string) => () =>
      store.transact(key, (transaction) => effect(transaction, key))

    test.each([
      ['a handler that was abandoned', 'SELECT 1'],
      ['one in whose transaction a statement had failed', 'SELECT 1/0'],
    ])('rolls back %s, and handles the next copy', async (key, text) => {
      const used = await abandon(key, (transaction) => run(transaction, text).then(null, () => {}))
      await expect.poll(next(key)).toEqual({ status: 'claimed' })
      if (rejectsClosed) await expect(effect(used, key)).rejects.toThrow()
      expect(await rows(key)).toEqual({ effects: 1, marks: 1 })
    })

    test.runIf(parallel)('ends the connection of one whose statement never ends', async () => {
      const key = 'never ends'
      const lock = 'SELECT pg_advisory_xact_lock(hashtext($1))'
      const finish = new EventEmitter()
      const locked = new EventEmitter()
      const [blocking] = await Promise.all([
        client.transactional.transaction(async (transaction) => {
          await run(transaction, lock, table)
          locked.emit('locked')
          await once(finish, 'finish')
        }),
        once(locked, 'locked').then(() =>
          abandon(key, async (transaction) => {
            run(transaction, lock, table).then(null, () => {})
            const waits = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE query = '${lock}' AND wait_event_type = 'Lock'`
            const waiting = async () => {
              const result = await client.query(waits, [])
              return ('rows' in result ? result.rows : result)[0]
            }
            await expect.poll(waiting).toEqual({ count: 1 })
          })
            .then(() => expect.poll(next(key)).toEqual({ status: 'claimed' }))
            .finally(() => finish.emit('finish')),
        ),
      ])
      expect(blocking).toBeUndefined()
      expect(await rows(key)).toEqual({ effects: 1, marks: 1 })
    })

    test('frees the mark of a handler that never ends after `abandonAfter`', async () => {
      const { delivery } = await createReceiver('whsec_test').receiveRequest(
        await signedRequest('whsec_test', 'message.received'),
      )
      const options = { store, onRejected: false, storeTimeout: 240 } as const
      const hanging = createDeliveryHandler(
        { any: () => new Promise(() => {}) },
        { ...options, timeout: 0.05, abandonAfter: 0.05 },
      )
      await expect(hanging(delivery)).rejects.toMatchObject({ reason: 'handler_abandoned' })
      const handle = createDeliveryHandler(
        { any: (_, { transaction }) => effect(transaction, delivery.id) },
        { ...options, timeout: 240 },
      )
      await expect.poll(() => handle(delivery).catch(() => 'not yet')).toBe('completed')
      expect(await handle(delivery)).toBe('duplicate')
    })

    test('rejects where the handler went on after a statement that failed', async () => {
      const swallowing = store.transact('swallowed', async (transaction) => {
        await effect(transaction, 'swallowed')
        await Promise.resolve(run(transaction, 'SELECT 1/0')).catch(() => {})
      })
      await expect(swallowing).rejects.toThrow(
        /put the statement into a savepoint|division by zero/,
      )
      expect(await rows('swallowed')).toEqual({ effects: 0, marks: 0 })
    })

    test('takes a savepoint for what it is', async () => {
      const claim = await store.transact('savepoint', async (transaction) => {
        await run(transaction, 'SAVEPOINT before')
        await effect(transaction, 'savepoint')
        await run(transaction, 'ROLLBACK TO SAVEPOINT before')
        await run(transaction, 'SAVEPOINT again')
        await effect(transaction, 'savepoint')
      })
      expect(claim).toEqual({ status: 'claimed' })
      expect(await rows('savepoint')).toEqual({ effects: 1, marks: 1 })
    })

    test.each(['COMMIT', 'ROLLBACK'])('rejects where the handler itself says %s', async (end) => {
      const ending = store.transact(`ended by ${end}`, async (transaction) => {
        await run(transaction, end)
      })
      await expect(ending).rejects.toThrow('The handler ended its transaction')
    })

    test('rejects where `transaction` resolves although it was rolled back', async () => {
      const silent = postgresTransactionalStore<Transaction>({
        ...client.transactional,
        table,
        transaction: (work) =>
          client.transactional.transaction(async (transaction) => {
            await work(transaction)
            await run(transaction, 'ROLLBACK')
          }),
      })
      const lost = silent.transact('lost', (transaction) => effect(transaction, 'lost'))
      await expect(lost).rejects.toThrow('set `prepare: false` in postgres.js')
      expect(await rows('lost')).toEqual({ effects: 0, marks: 0 })
    })

    test('looks with `confirm` whether the mark is committed, where it is given', async () => {
      const sent: string[] = []
      const confirming = postgresTransactionalStore<Transaction>({
        ...client.transactional,
        table,
        confirm: (text, values) => {
          sent.push(text)
          return client.query(text, values)
        },
      })
      const claim = await confirming.transact('seen', (transaction) => effect(transaction, 'seen'))
      expect(claim).toEqual({ status: 'claimed' })
      expect(sent).toEqual([expect.stringMatching(/^SELECT key, token/)])
      expect(await rows('seen')).toEqual({ effects: 1, marks: 1 })
    })

    test('handles a delivery again that was forgotten, but not one that is being handled', async () => {
      const work = async (transaction: Transaction) => {
        if (parallel) expect(await store.forget('forgotten')).toBe(false)
        await effect(transaction, 'forgotten')
      }
      expect(await store.transact('forgotten', work)).toEqual({ status: 'claimed' })
      expect(await store.forget('forgotten')).toBe(true)
      expect(await store.forget('forgotten')).toBe(false)
      expect(await store.transact('forgotten', work)).toEqual({ status: 'claimed' })
      expect(await rows('forgotten')).toEqual({ effects: 2, marks: 1 })
    })

    test('handles a delivery again when its retention is over', async () => {
      const short = postgresTransactionalStore({
        ...client.transactional,
        table,
        retention: 0.3,
      })
      expect(await short.transact('short', async () => {})).toEqual({ status: 'claimed' })
      expect(await short.transact('short', async () => {})).toEqual({ status: 'done' })
      const again = () => short.transact('short', async () => {})
      await expect.poll(again).toEqual({ status: 'claimed' })
    })

    test('knows the claims of a store with leases on the same table', async () => {
      const leases = postgresStore({ table, query: (text, values) => client.query(text, values) })
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
