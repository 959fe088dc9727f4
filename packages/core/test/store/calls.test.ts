import { memoryStore } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import type { StoreCall } from '../../src/store/store-call.ts'
import { delivered, handling, transacting } from '../handling/stores.ts'

const delivery = (id = 'the-id') => delivered('message.received', id)

function listening() {
  const reported: StoreCall[] = []
  return {
    onStoreCall: (call: StoreCall) => void reported.push(call),
    calls: () => reported.map(({ operation, result }) => `${operation} ${result}`),
    reported,
  }
}

test('onStoreCall is called for each call of a store, with its result', async () => {
  const { onStoreCall, calls, reported } = listening()
  const options = { store: memoryStore(), endpoint: 'orders', now: () => 1000, onStoreCall }
  const handle = handling(vi.fn().mockRejectedValueOnce(new Error('no')), options)
  await expect(handle(delivery())).rejects.toThrow('no')
  expect(await handle(delivery())).toBe('completed')
  expect(await handle(delivery())).toBe('duplicate')
  expect(calls()).toEqual([
    'claim claimed',
    'release ok',
    'claim claimed',
    'complete ok',
    'claim done',
  ])
  for (const call of reported) {
    expect(call).toMatchObject({ at: 1000, endpoint: 'orders', error: undefined })
    expect(call.duration).toSatisfy((seconds: number) => seconds >= 0 && seconds < 10)
  }
})

const down = new RangeError('down')

test.each([
  ['a store rejects', () => Promise.reject(down), down],
  ['a store returns no claim', async () => ({ status: 'taken' }) as never, undefined],
])('onStoreCall gets a failed claim where %s', async (_, claim, error) => {
  const { onStoreCall, calls, reported } = listening()
  const store = { ...memoryStore(), claim }
  const handled = handling(undefined, { store, onStoreCall })(delivery())
  await expect(handled).rejects.toMatchObject({ reason: 'store_unavailable' })
  await expect.poll(calls).toEqual(['claim failed', 'release lost'])
  expect(reported[0]?.error).toBe(error)
})

test('onStoreCall gets a failed completion where a store returns no boolean', async () => {
  const { onStoreCall, calls } = listening()
  const store = { ...memoryStore(), complete: async () => undefined as never }
  const handled = handling(undefined, { store, onStoreCall })(delivery())
  await expect(handled).rejects.toMatchObject({ reason: 'store_unavailable' })
  expect(calls()).toEqual(['claim claimed', 'complete failed'])
})

test('onStoreCall is called for a lease that is extended, and of one that is lost', async () => {
  const { onStoreCall, calls } = listening()
  const results = [true, false]
  const store = { ...memoryStore(), extend: async () => results.shift() ?? false }
  const handle = handling(
    (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
    { store, lease: 0.03, onStoreCall },
  )
  await expect(handle(delivery())).rejects.toMatchObject({ reason: 'lease_lost' })
  expect(calls()).toEqual(['claim claimed', 'extend ok', 'extend lost'])
})

test('a transaction is reported in two parts, without the time of the handler', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { onStoreCall, calls, reported } = listening()
  const marks = new Set<string>()
  const store = transacting(async (key, work) => {
    if (marks.has(key)) return { status: 'done' }
    await work(1)
    // As PostgreSQL may: the transaction is run again.
    if (marks.size === 0) await work(2)
    marks.add(key)
    return { status: 'claimed' }
  })
  const work = async ({ id }: { id: string }) => {
    vi.advanceTimersByTime(200_000)
    if (id === 'fails') throw new Error('no')
  }
  const handle = handling(work, { store, onStoreCall })
  expect(await handle(delivery())).toBe('completed')
  expect(await handle(delivery())).toBe('duplicate')
  await expect(handle(delivery('fails'))).rejects.toThrow('no')
  expect(calls()).toEqual([
    'begin claimed',
    'commit ok',
    'begin done',
    'begin claimed',
    'rollback ok',
  ])
  for (const { duration } of reported) expect(duration).toBe(0)
})

test.each([
  ['before the handler', 'begin failed', 0, 'store_unavailable'],
  ['in its commit', 'begin claimed, commit failed', 1, 'store_unavailable'],
  ['when it rolls back', 'begin claimed, rollback failed', 1, undefined],
])('a transaction that fails %s is reported as failed', async (_, expected, runs, reason) => {
  const { onStoreCall, calls, reported } = listening()
  const store = transacting(async (_key, work) => {
    if (runs) await work(undefined).catch(() => {})
    throw down
  })
  const failure = new Error('the handler failed')
  const any = vi.fn(async () => {
    if (!reason) throw failure
  })
  const handle = handling(any, { store, onStoreCall })
  const rejected = reason ? expect.objectContaining({ reason }) : failure
  await expect(handle(delivery())).rejects.toEqual(rejected)
  expect(calls().join(', ')).toBe(expected)
  expect(reported.at(-1)?.error).toBe(down)
  expect(any).toHaveBeenCalledTimes(runs)
})
