import { expect, it } from 'vitest'
import { betterOutcome } from '../src/deliveries/report.ts'
import { createDeliveryOrder } from '../src/webhooks/order.ts'

it.each([
  ['delivered', 'rejected', 'delivered'],
  ['rejected', 'pending', 'rejected'],
] as const)('the outcome of %s and %s is %s, whichever came first', (one, other, both) => {
  expect([betterOutcome(one, other), betterOutcome(other, one)]).toEqual([both, both])
})

it('holds one delivery at a time, and another when the time of the first is up', async () => {
  const order = createDeliveryOrder()
  const { signal } = new AbortController()
  const [first, second, third] = [1, 2, 3].map(order.nextPosition) as [number, number, number]
  const went: string[] = []
  const wait = (position: number, milliseconds: number, name: string) =>
    order.waitForLater(position, milliseconds, signal).then(() => went.push(name))
  const waiting = wait(first, 5, 'first')
  await wait(second, 2 ** 31 - 1, 'second')
  await waiting
  const again = wait(second, 2 ** 31 - 1, 'held')
  await new Promise(setImmediate)
  expect(went).toEqual(['second', 'first'])
  order.responded(third)
  await again
  expect(went).toEqual(['second', 'first', 'held'])
})
