import { describe, expect, it } from 'vitest'
import { betterOutcome } from '../src/deliveries/report.ts'
import { createDeliveryOrder } from '../src/webhooks/order.ts'

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
