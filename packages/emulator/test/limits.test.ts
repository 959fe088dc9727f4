import { describe, expect, it } from 'vitest'
import { betterOutcome } from '../src/deliveries/report.ts'
import { createEmulator } from '../src/index.ts'
import { createDeliveryOrder } from '../src/webhooks/order.ts'
import { emulate } from './running-emulator.ts'

const registration = { url: 'https://example.com/webhooks', events: ['message.read'] }

/** Asks the registration end point, and gives the status and the error. */
async function ask(
  baseUrl: string,
  { path = '/api/v1/webhooks', method = 'POST', authorization = 'Bearer local-key', body = {} },
): Promise<{ readonly status: number; readonly error: unknown }> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: authorization },
    ...(method === 'POST' && { body: JSON.stringify({ ...registration, ...body }) }),
  })
  return { status: response.status, error: Object(await response.json()).error }
}

describe('the registration end point, at its limits', () => {
  it.each(['Basic Bearer local-key', 'X-Bearer local-key', ', Bearer local-key'])(
    'takes no key behind something else: %s',
    async (authorization) => {
      const emulator = await emulate()
      expect(await ask(emulator.baseUrl, { authorization })).toMatchObject({ status: 401 })
      expect(emulator.webhooks()).toEqual([])
    },
  )

  it('says what it has instead of another path or method', async () => {
    const { baseUrl } = await emulate()
    expect(await ask(baseUrl, { path: '/api/v1/webhook' })).toEqual({
      status: 404,
      error: {
        code: 'not_found',
        message: 'There is nothing at this path. Use POST /api/v1/webhooks.',
      },
    })
    expect(await ask(baseUrl, { method: 'GET' })).toEqual({
      status: 405,
      error: { code: 'method_not_allowed', message: 'Use POST to create a webhook.' },
    })
    expect(await ask(baseUrl, { path: '/api/v1/webhooks?a=1' })).toMatchObject({ status: 201 })
  })

  it('repeats at most 100 characters of an unknown event', async () => {
    const { baseUrl } = await emulate()
    const { error } = await ask(baseUrl, { body: { events: ['e'.repeat(500)] } })
    expect(Object(error).message).toContain(`has "${'e'.repeat(99)}, which is not an event`)
  })
})

it('takes every seed of 32 bits, and no other', () => {
  expect(() => createEmulator({ seed: 2 ** 32 - 1 })).not.toThrow()
  expect(() => createEmulator({ seed: 2 ** 32 })).toThrow(TypeError)
})

describe('the outcome of two requests for one delivery', () => {
  it.each([
    ['delivered', 'pending', 'delivered'],
    ['delivered', 'rejected', 'delivered'],
    ['rejected', 'pending', 'rejected'],
    ['pending', 'pending', 'pending'],
  ] as const)('of %s and %s is %s, whichever came first', (one, other, both) => {
    expect(betterOutcome(one, other)).toBe(both)
    expect(betterOutcome(other, one)).toBe(both)
  })
})

describe('the order of deliveries', () => {
  const forever = 2 ** 31 - 1
  const { signal } = new AbortController()

  it('lets one pass that comes later, and not one that came before', async () => {
    const order = createDeliveryOrder()
    const [earlier, held, later] = [
      order.nextPosition(),
      order.nextPosition(),
      order.nextPosition(),
    ]
    let went = false
    const waiting = order.waitForLater(held, forever, signal).then(() => {
      went = true
    })
    order.responded(earlier)
    order.responded(held)
    await new Promise(setImmediate)
    expect(went).toBe(false)
    order.responded(later)
    await waiting
    expect(went).toBe(true)
  })

  it('holds one at a time, and another when the time of the first is up', async () => {
    const order = createDeliveryOrder()
    const [first, second, third] = [
      order.nextPosition(),
      order.nextPosition(),
      order.nextPosition(),
    ]
    const went: string[] = []
    const waiting = order.waitForLater(first, 5, signal).then(() => went.push('first'))
    await order.waitForLater(second, forever, signal).then(() => went.push('second'))
    await waiting
    const again = order.waitForLater(second, forever, signal).then(() => went.push('held'))
    await new Promise(setImmediate)
    expect(went).toEqual(['second', 'first'])
    order.responded(third)
    await again
    expect(went).toEqual(['second', 'first', 'held'])
  })
})
