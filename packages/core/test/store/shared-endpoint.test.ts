import {
  createDeliveryHandler,
  type HandlingOptions,
  memoryStore,
  type Scheme,
  webhookHandler,
} from '@webhook-receiver/core'
import { bodyScheme } from '@webhook-receiver/suites'
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'

let warn: MockInstance<typeof console.warn>

beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockReturnValue()
})
const create = (options: HandlingOptions) => createDeliveryHandler({ any: vi.fn() }, options)

test('a second handler with the same store and endpoint is warned of once, with the option', () => {
  const store = memoryStore()
  for (const endpoint of ['orders', 'users', 'orders', 'users', 'users'])
    create({ store, endpoint })
  const other = memoryStore()
  create({ store: other, endpoint: 'orders' })
  create({ store: other, endpoint: 'orders' })
  expect(warn.mock.calls.map(([line]) => /`endpoint` "(\w+)"/.exec(line)?.[1])).toEqual([
    'orders',
    'users',
    'orders',
  ])
})

const any = vi.fn()
const unknown = vi.fn()

test.each([
  ['one function', any, any, 0],
  ['the same functions', { any, unknown }, { unknown, any }, 0],
  ['another function under one name', { any }, { any: unknown }, 1],
  ['one function more', { any }, { any, unknown }, 1],
  ['a function and an object with it', any, { any }, 1],
])('a server and a worker on its store with %s', (_, served, fetched, warnings) => {
  const store = memoryStore()
  webhookHandler('whsec_of_a_server_and_its_backfill', served, { store })
  createDeliveryHandler(fetched, { store })
  expect(warn).toHaveBeenCalledTimes(warnings)
})

describe('schemes of one name, with one store and endpoint', () => {
  const row = { value: { name: 'tenant-7', signed: ['body'], patience: 5 } }
  const schemeOf = (given: object) => ({ ...bodyScheme, name: 'tenant-7', ...given })
  const createWith = (store: HandlingOptions['store'], scheme: Scheme) =>
    createDeliveryHandler(vi.fn(), { store, scheme, duplicates: 'body' })
  const lines = () => warn.mock.calls.map(([line]) => /Two \w+ (share|named)/.exec(line)?.[0])

  test('that differ are warned of once, and all of their handlers run', async () => {
    const store = memoryStore()
    const edited = { value: { ...row.value, patience: 3 } }
    const handlers = [row, edited, edited, row].map((given) => createWith(store, schemeOf(given)))
    expect(lines()).toEqual(['Two schemes named', 'Two handlers share'])
    for (const [at, handle] of handlers.entries()) {
      const delivery = { scheme: 'tenant-7', id: `${at}`, event: 'a', data: {} }
      expect(await handle(delivery as never, { endpoint: 'tenant-7', key: `${at}` })).toBe(
        'completed',
      )
    }
  })

  test('that hold the same are no different schemes, however they were loaded or written', () => {
    const store = memoryStore()
    const { name, signed, patience } = row.value
    createWith(store, schemeOf(row))
    createWith(store, schemeOf({ value: JSON.parse(JSON.stringify({ patience, signed, name })) }))
    expect(lines()).toEqual(['Two handlers share'])
  })
})
