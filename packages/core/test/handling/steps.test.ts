import { createDeliveryHandler, memoryStore } from '@webhook-receiver/core'
import { expect, test } from 'vitest'
import type { HandlingStep } from '../../src/handling/steps.ts'
import { delivered, gate, transactionalStore } from './stores.ts'

function listening(): {
  readonly reported: HandlingStep[]
  readonly onHandling: (step: HandlingStep) => void
} {
  const reported: HandlingStep[] = []
  return { reported, onHandling: (step) => void reported.push(step) }
}

test('onHandling is told when a delivery is claimed and when it is completed, and of its duplicate', async () => {
  const { reported, onHandling } = listening()
  const options = { store: memoryStore(), endpoint: 'orders', now: () => 1000, onHandling }
  const seen: number[] = []
  const handle = createDeliveryHandler({ any: () => seen.push(reported.length) }, options)
  const delivery = delivered('message.received', 'one')
  await handle(delivery)
  await handle(delivery)
  const fact = {
    at: 1000,
    duration: expect.any(Number),
    endpoint: 'orders',
    scheme: 'contract',
    id: 'one',
    event: 'message.received',
    key: 'one',
    known: true,
    reason: undefined,
    error: undefined,
  }
  expect(reported).toEqual([
    { step: 'claimed', ...fact },
    { step: 'completed', ...fact },
    { step: 'duplicate', ...fact },
  ])
  // The claim is told before the handler begins.
  expect(seen).toEqual([1])
  expect(reported.every(({ duration }) => duration >= 0 && duration < 5)).toBe(true)
})

test('onHandling gets why a delivery failed, and that a copy is in progress', async () => {
  const { reported, onHandling } = listening()
  const { promise, fail } = gate()
  const handle = createDeliveryHandler(
    { any: () => promise },
    { store: transactionalStore(), onHandling, onRejected: false },
  )
  const first = handle(delivered('message.received', 'one'))
  await expect.poll(() => reported).toHaveLength(1)
  await expect(handle(delivered('message.received', 'one'))).rejects.toThrow()
  const error = new RangeError('fails on purpose')
  fail(error)
  await expect(first).rejects.toBe(error)
  expect(reported).toMatchObject([
    { step: 'claimed' },
    { step: 'duplicate', reason: 'delivery_in_progress' },
    { step: 'failed', reason: undefined, error },
  ])
})

test('onHandling is called for a handler that takes too long', async () => {
  const { reported, onHandling } = listening()
  const { promise, open } = gate()
  const options = { timeout: 0.01, onHandling, onRejected: false } as const
  const handle = createDeliveryHandler({ any: () => promise }, options)
  await expect(handle(delivered())).rejects.toThrow()
  expect(reported).toMatchObject([
    { step: 'claimed' },
    { step: 'failed', reason: 'handler_timeout', duration: expect.any(Number) },
  ])
  open()
})
