import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createDeliveryHandler,
  createReceiver,
  type DeliveryStore,
  type TransactionalDeliveryStore,
} from '@webhook-receiver/core'
import { signedRequest } from '@webhook-receiver/core/testing'
import { describe, expect, test } from 'vitest'

interface TransactionSetup<Transaction> {
  open(options: { readonly retention?: number }): TransactionalDeliveryStore<Transaction>
  /** A store with leases on the same table. */
  leases(): DeliveryStore
  run(transaction: Transaction, sql: string): unknown
  effect(transaction: Transaction, key: string): unknown
  /** What is committed for a key. */
  rowsOf(key: string): Rows | Promise<Rows>
  /**
   * Whether a second transaction may be begun meanwhile.
   * @default true
   */
  readonly parallel?: boolean
  /**
   * What ends a transaction in a handler, and is not allowed.
   * @default COMMIT, ROLLBACK
   */
  readonly ends?: readonly string[]
}

interface Rows {
  readonly effects: number
  readonly marks: number
}

/** Tests a transactional store: the mark of a delivery is committed with what its handler has written, or neither. */
export function describeTransactions<Transaction>({
  open,
  leases,
  run,
  effect,
  rowsOf,
  parallel = true,
  ends = ['COMMIT', 'ROLLBACK'],
}: TransactionSetup<Transaction>): void {
  describe('its promises', () => {
    const work = (key: string) => async (transaction: Transaction) =>
      void (await effect(transaction, key))
    const never = () => expect.unreachable()
    const nothing = async () => {}

    test('commits the mark with the effect, and does not run a duplicate', async () => {
      const store = open({})
      const first = await store.transact('together', async (transaction) => {
        await effect(transaction, 'together')
        if (parallel) expect(await rowsOf('together')).toEqual({ effects: 0, marks: 0 })
      })
      expect(first).toEqual({ status: 'claimed' })
      expect(await store.transact('together', never)).toEqual({ status: 'done' })
      expect(await rowsOf('together')).toEqual({ effects: 1, marks: 1 })
    })

    test('rolls back both where the work rejects, and rejects with its error', async () => {
      const store = open({})
      const error = new Error('the handler failed')
      const failing = store.transact('failed', async (transaction) => {
        await effect(transaction, 'failed')
        throw error
      })
      await expect(failing).rejects.toBe(error)
      expect(await rowsOf('failed')).toEqual({ effects: 0, marks: 0 })
      expect(await store.transact('failed', work('failed'))).toEqual({ status: 'claimed' })
      expect(await rowsOf('failed')).toEqual({ effects: 1, marks: 1 })
    })

    test.runIf(parallel)(
      'responds to a concurrent duplicate before the first is done',
      async () => {
        const store = open({})
        const handler = new EventEmitter()
        const started = once(handler, 'start')
        const first = store.transact('concurrent', async () => {
          handler.emit('start')
          await once(handler, 'finish')
        })
        await started
        const duplicate = await store.transact('concurrent', never)
        expect(duplicate).toEqual({ status: 'in_progress', retryAfter: 1 })
        handler.emit('finish')
        expect(await first).toEqual({ status: 'claimed' })
        expect(await store.transact('concurrent', never)).toEqual({ status: 'done' })
      },
    )

    test('has one effect for each of 50 deliveries that arrive 20 times at once', async () => {
      const stores = [open({}), open({})]
      const receive = async (key: string, copy: number): Promise<void> => {
        const claim = await stores[copy % 2]?.transact(key, work(key))
        if (claim?.status !== 'in_progress') return
        await delay(20)
        await receive(key, copy)
      }
      const keys = Array.from({ length: 50 }, (_, index) => `copied ${index}`)
      await Promise.all(
        keys.flatMap((key) => Array.from({ length: 20 }, (_, copy) => receive(key, copy))),
      )
      for (const key of keys) expect(await rowsOf(key)).toEqual({ effects: 1, marks: 1 })
    })

    test('rolls back a handler that never ends after `abandonAfter`, and handles the next copy', async () => {
      const store = open({})
      const { delivery } = await createReceiver('whsec_test').receiveRequest(
        await signedRequest('message.received', {}, { secret: 'whsec_test' }),
      )
      const options = { store, onRejected: false, storeTimeout: 240 } as const
      const hanging = createDeliveryHandler(
        {
          any: async (_, { transaction }) => {
            await effect(transaction, delivery.id)
            await new Promise(() => {})
          },
        },
        { ...options, timeout: 0.05, abandonAfter: 0.05 },
      )
      await expect(hanging(delivery)).rejects.toMatchObject({ reason: 'handler_abandoned' })
      const handle = createDeliveryHandler(
        { any: (_, { transaction }) => effect(transaction, delivery.id) },
        { ...options, timeout: 240 },
      )
      await expect.poll(() => handle(delivery).catch(() => 'not yet')).toBe('completed')
      expect(await handle(delivery)).toBe('duplicate')
      expect(await rowsOf(delivery.id)).toMatchObject({ effects: 1 })
    })

    test('takes a savepoint for what it is', async () => {
      const claim = await open({}).transact('savepoint', async (transaction) => {
        await run(transaction, 'SAVEPOINT before')
        await effect(transaction, 'savepoint')
        await run(transaction, 'ROLLBACK TO SAVEPOINT before')
        await run(transaction, 'SAVEPOINT again')
        await effect(transaction, 'savepoint')
      })
      expect(claim).toEqual({ status: 'claimed' })
      expect(await rowsOf('savepoint')).toEqual({ effects: 1, marks: 1 })
    })

    test.each(ends)('rejects where the handler itself says %s', async (end) => {
      const key = `ended by ${end}`
      const ending = open({}).transact(key, async (transaction) => {
        await run(transaction, end)
        // It is not in the transaction of the mark, so it must not be kept.
        if (end.endsWith('BEGIN')) await effect(transaction, key)
      })
      await expect(ending).rejects.toThrow('Do not send COMMIT or ROLLBACK in a handler.')
      const marks = end.startsWith('COMMIT') ? 1 : 0
      expect(await rowsOf(key)).toEqual({ effects: 0, marks })
    })

    test.each(ends)(
      'does not call it a roll-back where the handler says %s and fails',
      async (end) => {
        const key = `failed behind ${end}`
        const cause = new Error('the handler failed')
        const store = open({})
        const failing = store.transact(key, async (transaction) => {
          await run(transaction, end)
          throw cause
        })
        await expect(failing).rejects.toMatchObject(
          end.startsWith('COMMIT')
            ? { message: expect.stringContaining('Do not send COMMIT'), cause }
            : { message: 'the handler failed' },
        )
        // The mark was committed with it, and would make a duplicate of what was not done.
        expect(await rowsOf(key)).toEqual({ effects: 0, marks: 0 })
        expect(await store.transact(key, nothing)).toEqual({ status: 'claimed' })
      },
    )

    test('handles a delivery again that was forgotten, but not one that is being handled', async () => {
      const store = open({})
      expect(await store.forget('forgotten')).toBe(false)
      await store.transact('forgotten', async (transaction) => {
        if (parallel) expect(await store.forget('forgotten')).toBe(false)
        await effect(transaction, 'forgotten')
      })
      expect(await store.forget('forgotten')).toBe(true)
      expect(await store.forget('forgotten')).toBe(false)
      expect(await store.transact('forgotten', work('forgotten'))).toEqual({ status: 'claimed' })
      expect(await rowsOf('forgotten')).toEqual({ effects: 2, marks: 1 })
    })

    test('handles a delivery again when its retention is over', async () => {
      const store = open({ retention: 1.5 })
      const again = () => store.transact('short', nothing)
      expect([await again(), await again()]).toEqual([{ status: 'claimed' }, { status: 'done' }])
      await expect.poll(again).toEqual({ status: 'claimed' })
    })

    test('knows the claims of a store with leases on the same table', async () => {
      const [store, leased] = [open({}), leases()]
      await leased.claim('mixed', 'token', 30)
      expect(await store.transact('mixed', never)).toEqual({
        status: 'in_progress',
        retryAfter: expect.closeTo(30, -1),
      })
      await leased.complete('mixed', 'token')
      expect(await store.transact('mixed', never)).toEqual({ status: 'done' })
      await store.transact('mixed too', nothing)
      expect(await leased.claim('mixed too', 'token', 30)).toEqual({ status: 'done' })
      expect(await leased.release('mixed too', 'token')).toBe(false)
    })
  })
}
