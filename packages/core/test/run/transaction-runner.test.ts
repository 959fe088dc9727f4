import type { Claim } from '@webhook-receiver/core'
import { describe, expect, test, vi } from 'vitest'
import { expectRejection } from '../deliveries.ts'
import {
  delivered,
  failOnUnhandled,
  gate,
  handling,
  hanging,
  sleep,
  transacting,
  transactionalStore,
} from '../handling/stores.ts'

failOnUnhandled()

describe('in a transaction', () => {
  test('a store that returns before the work is done is not believed', async () => {
    const { promise, open } = gate()
    const transact = async (_key: string, work: (transaction: undefined) => Promise<void>) => {
      void work(undefined)
      return { status: 'done' as const }
    }
    const handle = handling(() => promise, { store: transacting(transact) })
    const { detail } = await expectRejection(handle(delivered()), 503, 'store_unavailable')
    expect(detail).toContain('The store returned before the work was done.')
    open()
  })

  test('a store that fails while the handler runs is not said to have run nothing', async () => {
    const { promise, open } = gate()
    const store = transacting(async (_key, work) => {
      void work(null)
      throw new Error('The connection has ended.')
    })
    const attempt = handling(() => promise, { store })(delivered())
    const { detail } = await expectRejection(attempt, 503, 'store_unavailable')
    expect(detail).toContain('The handler was running')
    open()
  })

  test.each([new Error('mine'), undefined])(
    'what a handler throws travels as it is, and nothing is committed: %s',
    async (failure) => {
      const work = vi.fn().mockRejectedValueOnce(failure)
      const handle = handling(work, { store: transactionalStore() })
      const delivery = delivered()
      const settled = await Promise.allSettled([handle(delivery)])
      expect(settled).toEqual([{ status: 'rejected', reason: failure }])
      expect(await handle(delivery)).toBe('completed')
    },
  )

  test('a handler that throws is not acknowledged, also where the store swallows that', async () => {
    const store = transacting(async (_key, work) => {
      await work(null).catch(() => {})
      return { status: 'claimed' }
    })
    const handle = handling(() => Promise.reject(new Error('mine')), { store })
    await expect(handle(delivered())).rejects.toThrow('mine')
  })

  test('what the store says about the error of a handler, its cause, travels in place of that', async () => {
    const cause = new Error('mine')
    const store = transacting(async (_key, work) => {
      await work(null).catch(() => {})
      throw new Error('The handler ended its transaction.', { cause })
    })
    const handle = handling(() => Promise.reject(cause), { store })
    await expect(handle(delivered())).rejects.toMatchObject({
      message: expect.stringContaining('ended its'),
      cause,
    })
  })

  test.each([
    ['claimed, but did not run the work', { status: 'claimed' }, false, 'did not run'],
    ['nothing', undefined, false, 'did not run'],
    ['nonsense after the work', { status: 'ok' }, true, 'its transaction may be committed or not'],
  ])('a store that returns %s is 503', async (_what, claim, runs, detail) => {
    const store = transacting(async (_key, work) => {
      if (runs) await work(null)
      return claim as Claim
    })
    const attempt = handling(undefined, { store })(delivered())
    const error = await expectRejection(attempt, 503, 'store_unavailable')
    expect(error.detail).toContain('returned a value that is not a claim')
    expect(error.detail).toContain(detail)
  })

  test('a store that runs the work again after a conflict is right', async () => {
    const work = vi.fn().mockRejectedValueOnce(new Error('could not serialize'))
    const store = transacting(async (_key, run) => {
      await run(null).catch(() => run(null))
      return { status: 'claimed' }
    })
    expect(await handling(work, { store })(delivered())).toBe('completed')
    expect(work).toHaveBeenCalledTimes(2)
  })
})

describe('a store that', () => {
  test.each([
    ['rejects', () => Promise.reject(new Error('ECONNRESET')), 'failed: ECONNRESET'],
    ['hangs', hanging, 'did not respond within 0.05 s'],
  ])('%s is 503, and says what may have happened', async (_, step, detail) => {
    for (const [stage, runs, consequence] of [
      ['begin', 0, 'did not run'],
      ['commit', 1, 'its transaction may be committed or not'],
    ] as const) {
      const work = vi.fn()
      const store = transactionalStore({ [stage]: step })
      const attempt = handling(work, { store, storeTimeout: 0.05 })(delivered())
      const error = await expectRejection(attempt, 503, 'store_unavailable')
      expect(error.detail).toContain(detail)
      expect(error.detail).toContain(consequence)
      expect(work).toHaveBeenCalledTimes(runs)
    }
  })

  test('begins after it was given up runs nothing, and rolls back', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const { promise, open } = gate()
    const [work, onRejected] = [vi.fn(), vi.fn()]
    const store = transactionalStore({ begin: () => promise })
    const transact = vi.fn(store.transact)
    const options = { store: { ...store, transact }, storeTimeout: 0.02, onRejected }
    const handle = handling(work, options)
    const delivery = delivered()
    await expectRejection(handle(delivery), 503, 'store_unavailable')
    open()
    await expect(transact.mock.results[0]?.value).rejects.toThrow('already 503')
    expect(work).not.toHaveBeenCalled()
    expect(await handle(delivery)).toBe('completed')
    expect(onRejected).toHaveBeenCalledOnce()
    expect(log).not.toHaveBeenCalled()
  })

  test('hangs in its roll-back lets the error of the handler travel', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const error = new Error('mine')
    const { promise, open } = gate()
    const store = transacting(async (_key, run) => {
      await run(null).finally(() => promise)
      return { status: 'claimed' }
    })
    const handle = handling(() => Promise.reject(error), { store, storeTimeout: 0.02 })
    await expect(handle(delivered())).rejects.toBe(error)
    open()
    await sleep(5)
    expect(log).not.toHaveBeenCalled()
  })
})

describe('a handler that takes too long', () => {
  test('gets 503 and commits at last', async () => {
    const { promise, open } = gate()
    const store = transactionalStore()
    const handle = handling(
      ({ id }, { transaction }) => promise.then(() => void transaction.push(id)),
      { store, timeout: 0.02 },
    )
    const delivery = delivered()
    await expectRejection(handle(delivery), 503, 'handler_timeout')
    const copy = await expectRejection(handle(delivery), 503, 'delivery_in_progress')
    expect(copy.headers).toEqual({ 'Retry-After': '1' })
    open()
    await expect.poll(() => store.committed).toEqual([delivery.id])
    expect(await handle(delivery)).toBe('duplicate')
  })
})
