import { beforeEach, expect, test, vi } from 'vitest'
import { type Added, createAdd } from '../src/add.ts'
import type { Ask } from '../src/database.ts'
import { statementsFor } from '../src/statements.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
const delivery = (key: string): Added => ({
  ...{ key, lane: '', service: 'stripe' },
  ...{ event: '', id: '', trace: '', delivery: '{}' },
})

function adding(asked: Ask) {
  const ask = vi.fn(asked)
  return { ask, add: createAdd(ask, statementsFor('inbox', 1)) }
}

test('while PostgreSQL hangs, what nobody waits for any more is forgotten, and the next is sent on another connection', async () => {
  const { ask, add } = adding(() => new Promise(() => {}))
  void add(delivery('first'))
  const late = Promise.allSettled(Array.from({ length: 250 }, (_, at) => add(delivery(`${at}`))))
  await vi.advanceTimersByTimeAsync(2000)
  expect(ask).toHaveBeenCalledTimes(1)
  for (const { status } of await late) expect(status).toBe('rejected')
  void add(delivery('last'))
  expect(ask).toHaveBeenCalledTimes(2)
  expect(ask.mock.lastCall?.[1]).toBe(JSON.stringify([delivery('last')]))
})

test('a group that PostgreSQL rejects too late is not sent again: nobody waits for it', async () => {
  const rejects: ((error: Error) => void)[] = []
  const { ask, add } = adding(() => new Promise((_, reject) => void rejects.push(reject)))
  const all = Promise.allSettled(['1', '2', '3'].map((key) => add(delivery(key))))
  rejects[0]?.(new Error('rejected'))
  await vi.advanceTimersByTimeAsync(2000)
  rejects[1]?.(new Error('too late'))
  await vi.advanceTimersByTimeAsync(0)
  expect(ask).toHaveBeenCalledTimes(2)
  expect((await all).map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
})

test('a delivery of any size is sent, and what is too large to go with another goes alone', async () => {
  const { ask, add } = adding(async () => [])
  const large = { ...delivery('large'), delivery: 'x'.repeat(1_048_576) }
  await Promise.all([large, large, delivery('1'), delivery('2')].map(add))
  const sizes = ask.mock.calls.map(([, rows]) => JSON.parse(String(rows)).length)
  expect(sizes).toEqual([1, 1, 2])
})
