import { createDeliveryHandler, forgetDelivery, memoryStore } from '@webhook-receiver/core'
import { describe, expect, test, vi } from 'vitest'
import { delivered, transactionalStore } from '../handling/stores.ts'

const at = (key: string, endpoint = 'default') => ({ endpoint, key })

describe('forgetDelivery', () => {
  test.each([
    ['a store with leases', memoryStore],
    ['a transactional store', transactionalStore],
  ])('lets a delivery run once more, with %s', async (_, create) => {
    const store = create()
    const work = vi.fn()
    const handle = createDeliveryHandler({ any: work }, { store: store as never })
    // An id that is hashed in the key.
    const delivery = delivered('message.received', 'an id with spaces')
    expect(await forgetDelivery(store, at(delivery.id))).toBe(false)
    expect(await handle(delivery)).toBe('completed')
    expect(await forgetDelivery(store, at(delivery.id))).toBe(true)
    expect(await handle(delivery)).toBe('completed')
    expect(await handle(delivery)).toBe('duplicate')
    expect(work).toHaveBeenCalledTimes(2)
  })

  test('leaves the deliveries of other endpoints alone', async () => {
    const store = memoryStore()
    const [orders, users] = ['orders', 'users'].map((endpoint) =>
      createDeliveryHandler({ any: vi.fn() }, { store, endpoint }),
    )
    const delivery = delivered()
    await orders?.(delivery)
    await users?.(delivery)
    expect(await forgetDelivery(store, at(delivery.id))).toBe(false)
    expect(await forgetDelivery(store, at(delivery.id, 'users'))).toBe(true)
    expect(await orders?.(delivery)).toBe('duplicate')
    expect(await users?.(delivery)).toBe('completed')
  })

  test('forgets no done mark that has run out', async () => {
    let time = 0
    const store = memoryStore({ retention: 1, now: () => time })
    await createDeliveryHandler({ any: vi.fn() }, { store })(delivered('message.read', 'old'))
    time = 1000
    expect(await forgetDelivery(store, at('old'))).toBe(false)
  })

  test.each([
    [{ endpoint: 'default', key: '' }, '`key` should be the `verification.key` of a delivery'],
    [{ endpoint: 'a:b:c', key: '1' }, '`endpoint` should be the `verification.endpoint`'],
    [undefined, '`endpoint` should be the `verification.endpoint` of a delivery'],
  ])('rejects %j', async (given, message) => {
    const forgetting = Reflect.apply(forgetDelivery, undefined, [memoryStore(), given])
    await expect(forgetting).rejects.toThrow(message)
    await expect(forgetting).rejects.toThrow(TypeError)
  })
})
