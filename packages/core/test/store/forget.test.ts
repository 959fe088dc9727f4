import { forgetDelivery, memoryStore } from '@webhook-receiver/core'
import { describe, expect, test, vi } from 'vitest'
import { delivered, handling, transactionalStore } from '../handling/stores.ts'

describe('forgetDelivery', () => {
  test.each([
    ['a store with leases', memoryStore],
    ['a transactional store', transactionalStore],
  ])('lets a delivery run once more, with %s', async (_, create) => {
    const store = create()
    const work = vi.fn()
    const handle = handling(work, { endpoint: 'orders', store })
    // An id that is hashed in the key.
    const delivery = delivered('message.received', 'an id with spaces')
    const at = { endpoint: 'orders', key: delivery.id }
    expect(await forgetDelivery(store, at)).toBe(false)
    expect(await handle(delivery)).toBe('completed')
    expect(await forgetDelivery(store, at)).toBe(true)
    expect(await handle(delivery)).toBe('completed')
    expect(await handle(delivery)).toBe('duplicate')
    expect(work).toHaveBeenCalledTimes(2)
  })

  test.each([
    [{ endpoint: 'default', key: '' }, '`key` should be the `verification.key` of a delivery'],
    [{ endpoint: 'a:b:c', key: '1' }, '`endpoint` should be the `verification.endpoint`'],
  ])('rejects %j', async (given, message) => {
    const forgetting = Reflect.apply(forgetDelivery, undefined, [memoryStore(), given])
    await expect(forgetting).rejects.toThrow(message)
    await expect(forgetting).rejects.toThrow(TypeError)
  })
})
