import { memoryStore } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import type { HandlingStep } from '../../src/handling/steps.ts'
import { delivered, gate, handling, transactionalStore } from './stores.ts'

function listening() {
  const onHandling = vi.fn<(step: HandlingStep) => void>()
  return { onHandling, steps: () => onHandling.mock.calls.map(([step]) => step) }
}

test('onHandling is told when a delivery is claimed and when it is completed, and of its duplicate', async () => {
  const { steps, onHandling } = listening()
  const options = { store: memoryStore(), endpoint: 'orders', now: () => 1000, onHandling }
  // `claimed` is reported before the handler begins.
  const handle = handling(() => expect(steps()).toHaveLength(1), options)
  for (const _ of [1, 2]) await handle(delivered('message.received', 'one'))
  const fact = {
    at: 1000,
    duration: expect.toSatisfy((seconds) => seconds >= 0 && seconds < 5),
    endpoint: 'orders',
    scheme: 'contract',
    id: 'one',
    event: 'message.received',
    key: 'one',
    known: true,
    reason: undefined,
    error: undefined,
  }
  expect(steps()).toEqual(['claimed', 'completed', 'duplicate'].map((step) => ({ step, ...fact })))
})

test('onHandling gets why a delivery failed, and that a copy is in progress', async () => {
  const { steps, onHandling } = listening()
  const { promise, fail } = gate()
  const handle = handling(() => promise, { store: transactionalStore(), onHandling })
  const first = handle(delivered('message.received', 'one'))
  await expect.poll(steps).toHaveLength(1)
  await expect(handle(delivered('message.received', 'one'))).rejects.toThrow()
  const error = new RangeError('on purpose')
  fail(error)
  await expect(first).rejects.toBe(error)
  expect(steps()).toMatchObject([
    { step: 'claimed' },
    { step: 'duplicate', reason: 'delivery_in_progress' },
    { step: 'failed', reason: undefined, error },
  ])
})

test('onHandling is called for a handler that takes too long', async () => {
  const { steps, onHandling } = listening()
  const { promise, open } = gate()
  const handle = handling(() => promise, { timeout: 0.01, onHandling })
  await expect(handle(delivered())).rejects.toThrow()
  expect(steps()).toMatchObject([
    { step: 'claimed' },
    { step: 'failed', reason: 'handler_timeout', duration: expect.any(Number) },
  ])
  open()
})
