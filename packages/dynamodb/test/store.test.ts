import type { DeliveryStore } from '@webhook-receiver/core'
import { dynamodbStore } from '@webhook-receiver/dynamodb'
import { describeLeases } from '@webhook-receiver/suites/stores'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { UpdateItemInput } from '../src/update-item.ts'
import { type Database, openDatabase } from './database.ts'

describe.each([
  ['that returns the item in the way, as in AWS', true],
  ['that does not, as dynalite', false],
])('on a DynamoDB %s', (_name, returnsItems) => {
  let database: Database
  const inputs: UpdateItemInput[] = []
  const open = (options = {}): DeliveryStore =>
    dynamodbStore({
      table: database.table,
      update: (input) => {
        inputs.push(input)
        return database.dynamodb.updateItem(input)
      },
      ...options,
    })
  const itemOf = async (key: string) => {
    const input = { TableName: database.table, Key: { key: { S: key } } }
    return (await database.dynamodb.getItem(input)).Item
  }

  beforeAll(async () => {
    database = await openDatabase({ returnsItems })
  })
  afterAll(() => database?.stop())

  // dynalite takes milliseconds for each request, of which it has one at a time.
  describeLeases('dynamodbStore', { open, shared: true, lease: 2, keys: 2 })

  test('keeps one item for a delivery, with the time at which DynamoDB may delete it', async () => {
    let time = 1_700_000_000_250
    const store = open({ now: () => time })
    await store.claim('lifetime', 'token', 30)
    const item = { key: { S: 'lifetime' }, token: { S: 'token' } }
    expect(await itemOf('lifetime')).toEqual({
      ...item,
      done: { BOOL: false },
      expires_at: { N: '1700000030250' },
      ttl: { N: '1700000031' },
    })
    await store.extend('lifetime', 'token', 60)
    expect(await itemOf('lifetime')).toMatchObject({ expires_at: { N: '1700000060250' } })
    time += 750
    await store.complete('lifetime', 'token')
    expect(await itemOf('lifetime')).toEqual({
      ...item,
      done: { BOOL: true },
      expires_at: { N: '1700259201000' },
      ttl: { N: '1700259201' },
    })
    await store.claim('released', 'token', 30)
    await store.release('released', 'token')
    expect(await itemOf('released')).toEqual({
      key: { S: 'released' },
      done: { BOOL: false },
      expires_at: { N: '1700000001000' },
      ttl: { N: '1700000001' },
    })
  })

  test('looks at the time by itself, since DynamoDB deletes days later', async () => {
    let time = Date.now()
    const store = open({ now: () => time, retention: 10 })
    await store.claim('late', 'one', 5)
    // Less than a millisecond is left.
    time += 4_999.5
    expect(await store.claim('late', 'two', 5)).toEqual({
      status: 'in_progress',
      retryAfter: 0.001,
    })
    time += 0.5
    expect(await store.claim('late', 'two', 5)).toEqual({ status: 'claimed' })
    await store.complete('late', 'two')
    time += 9_999
    expect(await store.claim('late', 'three', 5)).toEqual({ status: 'done' })
    time += 1
    expect(await store.claim('late', 'three', 5)).toEqual({ status: 'claimed' })
  })

  test('needs one request for each step, and one more for a claim that is rejected without the item', async () => {
    const store = open()
    const requests = async (step: () => unknown) => {
      inputs.length = 0
      await step()
      return inputs.length
    }
    expect(await requests(() => store.claim('counted', 'token', 30))).toBe(1)
    expect(await requests(() => store.extend('counted', 'token', 30))).toBe(1)
    expect(await requests(() => store.claim('counted', 'other', 30))).toBe(returnsItems ? 1 : 2)
    expect(await requests(() => store.complete('counted', 'token'))).toBe(1)
    expect(await requests(() => store.release('counted', 'token'))).toBe(1)
  })
})

describe('a claim that is rejected', () => {
  const rejected = (Item?: object) =>
    Object.assign(new Error('rejected'), { name: 'ConditionalCheckFailedException', Item })

  test('is tried again where the item is gone when it is read', async () => {
    const update = vi
      .fn()
      .mockRejectedValueOnce(rejected())
      .mockRejectedValueOnce(rejected())
      .mockResolvedValueOnce({ Attributes: { key: { S: 'key' } } })
    expect(await dynamodbStore({ update }).claim('key', 'token', 1)).toEqual({ status: 'claimed' })
    expect(update.mock.calls.map(([{ UpdateExpression }]) => UpdateExpression.slice(0, 6))).toEqual(
      ['SET #t', 'REMOVE', 'SET #t'],
    )
  })

  test('is not tried for ever', async () => {
    const update = vi.fn().mockRejectedValue(rejected())
    await expect(dynamodbStore({ update }).claim('key', 'token', 1)).rejects.toThrow(
      'as if the item existed',
    )
    expect(update).toHaveBeenCalledTimes(6)
  })

  test.each([
    { done: true, expires_at: 1 },
    { done: { BOOL: false }, expires_at: { N: 'later' } },
  ])('rejects where the item is not one of this store: %j', async (item) => {
    const update = vi.fn().mockRejectedValue(rejected(item))
    await expect(dynamodbStore({ update }).claim('key', 'token', 1)).rejects.toThrow(
      'an item without `done` or `expires_at`',
    )
  })

  test.each([new Error('throttled'), null])('rejects with any other error: %s', async (error) => {
    const store = dynamodbStore({ update: () => Promise.reject(error) })
    for (const step of [store.claim('key', 'token', 1), store.release('key', 'token')])
      await expect(step).rejects.toBe(error)
  })
})

test.each([
  undefined,
  {},
  { Attributes: {} },
  new Response('{"__type":"ConditionalCheckFailedException"}', { status: 400 }),
])(
  'rejects where `update` resolves to no item, but to %s: the change may not have happened',
  async (output) => {
    const store = dynamodbStore({ update: async () => output })
    for (const step of [
      store.claim('key', 'token', 1),
      store.extend('key', 'token', 1),
      store.complete('key', 'token'),
      store.release('key', 'token'),
      store.forget('key'),
    ]) {
      await expect(step).rejects.toThrow('Return what the client returns')
    }
  },
)

describe('dynamodbStore', () => {
  test.each([
    [{}, '`update` should be a function, such as (input) => dynamodb.updateItem(input); got'],
    [{ update: fetch, table: 'a' }, '`table` should be a name of 3 to 255 letters'],
    [{ update: fetch, now: 1 }, '`now` should be a function that returns milliseconds'],
    [{ client: {} }, 'There is no option "client".'],
  ])('rejects the options %j', (options, message) => {
    const create = () => Reflect.apply(dynamodbStore, undefined, [options])
    expect(create).toThrow(message)
  })

  test('takes the ARN of a table of another account', async () => {
    const update = vi.fn(async ({ Key }: UpdateItemInput) => ({ Attributes: Key }))
    const table = 'arn:aws:dynamodb:eu-west-1:123456789012:table/webhook-deliveries'
    await dynamodbStore({ update, table }).complete('key', 'token')
    expect(update.mock.calls[0]?.[0].TableName).toBe(table)
  })
})
