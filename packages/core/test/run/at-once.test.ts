import { createDeliveryHandler, memoryStore } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import { delivered } from '../handling/stores.ts'

test.each([
  ['without a store', {}],
  ['with a store', { store: memoryStore() }],
])(
  '%s, a handler that settles at once makes no timer, and a failure is its own',
  async (_, options) => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(console, 'warn').mockReturnValue()
    const limits = { ...options, timeout: 20, abandonAfter: 40 }
    const handle = createDeliveryHandler({ any: async () => {} }, limits)
    expect(await handle(delivered('message.received', 'works'))).toBe('completed')
    const error = new Error('the handler failed')
    const failing = createDeliveryHandler({ any: () => Promise.reject(error) }, limits)
    await expect(failing(delivered('message.received', 'fails'))).rejects.toBe(error)
    expect(timers).not.toHaveBeenCalled()
  },
)
