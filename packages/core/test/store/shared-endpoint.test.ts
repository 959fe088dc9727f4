import { createDeliveryHandler, type HandlingOptions, memoryStore } from '@webhook-receiver/core'
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest'

let warn: MockInstance<typeof console.warn>

beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const create = (options: HandlingOptions) => createDeliveryHandler({ any: vi.fn() }, options)

test('a second handler with the same store and endpoint is warned of once, with the option', () => {
  const store = memoryStore()
  create({ store })
  expect(warn).not.toHaveBeenCalled()
  for (let times = 0; times < 3; times++) create({ store })
  expect(warn.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^\[webhook-receiver\] .*`endpoint` \("default"\).*its own `endpoint`\.$/,
      ),
    ],
  ])
})

test('each endpoint is warned of, and each store', () => {
  const store = memoryStore()
  for (const endpoint of ['orders', 'users', 'orders', 'users']) create({ store, endpoint })
  const other = memoryStore()
  create({ store: other, endpoint: 'orders' })
  create({ store: other, endpoint: 'orders' })
  expect(warn.mock.calls.map(([line]) => /\("(\w+)"\)/.exec(line)?.[1])).toEqual([
    'orders',
    'users',
    'orders',
  ])
})

test.each([
  ['two endpoints', [{ endpoint: 'orders' }, { endpoint: 'users' }]],
  ['the default and another endpoint', [{}, { endpoint: 'users' }]],
])('nothing is warned of with one store and %s', (_, options) => {
  const store = memoryStore()
  for (const own of options) create({ store, ...own })
  expect(warn).not.toHaveBeenCalled()
})

test('nothing is warned of with two stores, or with none', () => {
  create({ store: memoryStore() })
  create({ store: memoryStore() })
  create({})
  create({})
  expect(warn).not.toHaveBeenCalled()
})
