import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { UnprocessableHook } from '../../src/hooks.ts'
import { createReceiver, type Unprocessable } from '../../src/index.ts'
import {
  current,
  type DeliveryName,
  expectRejection,
  incoming,
  NOW,
  received,
} from '../deliveries.ts'

const mismatching = (onUnprocessable: UnprocessableHook) =>
  createReceiver(current.secret, {
    now: () => NOW,
    onRejected: false,
    schemas: { 'message.received': z.object({ missing: z.string() }) },
    onUnprocessable,
  })

test('is given the body and headers that verify again, the error and the issues', async () => {
  const facts: Unprocessable[] = []
  const receiver = mismatching((fact) => void facts.push(fact))
  const error = await expectRejection(
    receiver.receive(incoming('message.received')),
    500,
    'schema_mismatch',
  )
  expect(facts).toHaveLength(1)
  const [fact] = facts
  expect(fact?.error).toBe(error)
  expect(fact?.issues).toEqual([expect.objectContaining({ path: ['missing'] })])
  expect(Object.keys(fact?.headers ?? {}).sort()).toEqual([
    'content-type',
    'x-webhook-id',
    'x-webhook-signature',
    'x-webhook-timestamp',
  ])

  const again = await createReceiver(current.secret, { now: () => NOW }).receiveRequest(
    new Request('http://localhost/', {
      method: 'POST',
      headers: { ...fact?.headers },
      body: Buffer.from(fact?.rawBody ?? []),
    }),
  )
  expect(again.delivery.event).toBe('message.received')
})

const others: readonly (readonly [string, DeliveryName, Parameters<typeof incoming>[1], number])[] =
  [
    ['is forged', 'message.received', { body: new Uint8Array([0x7b, 0x7d]) }, 0],
    ['is stale', 'not json', {}, 301_000],
    ['is accepted', 'message.read', {}, 0],
  ]

test.each(others)('is not asked for what %s', async (_, name, changes, offset) => {
  const hook = vi.fn()
  const options = { onUnprocessable: hook, now: () => NOW + offset }
  await received(name, changes, options).catch(() => undefined)
  expect(hook).not.toHaveBeenCalled()
})
