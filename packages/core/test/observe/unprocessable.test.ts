import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { UnprocessableHook } from '../../src/hooks.ts'
import { createReceiver, type Unprocessable } from '../../src/index.ts'
import { upTo } from '../../src/request/reading.ts'
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

test.each([
  ['not json', 'body_not_json'],
  ['events differ', 'envelope_invalid'],
] as const)('is given a verified delivery that is "%s": 400 %s', async (name, reason) => {
  const facts: Unprocessable[] = []
  const onUnprocessable = (fact: Unprocessable) => void facts.push(fact)
  await expectRejection(received(name, {}, { onUnprocessable }), 400, reason)
  expect(facts.map(({ error, issues }) => [error.reason, issues])).toEqual([[reason, undefined]])
  expect(facts[0]?.rawBody).toEqual(await incoming(name).readBody(upTo(1)))
})

test('is waited for before the response', async () => {
  const order: string[] = []
  let kept = () => {}
  const keeping = new Promise<void>((resolve) => {
    kept = resolve
  })
  const receiver = mismatching(async () => {
    order.push('asked')
    await keeping
    order.push('kept')
  })
  const rejected = expectRejection(
    receiver.receive(incoming('message.received')),
    500,
    'schema_mismatch',
  ).then(() => order.push('responded'))
  await vi.waitFor(() => expect(order).toEqual(['asked']), { timeout: 120_000 })
  await new Promise((resolve) => setImmediate(resolve))
  expect(order).toEqual(['asked'])
  kept()
  await rejected
  expect(order).toEqual(['asked', 'kept', 'responded'])
})

const others: readonly (readonly [string, DeliveryName, Parameters<typeof incoming>[1], number])[] =
  [
    ['is forged', 'message.received', { body: new Uint8Array([0x7b, 0x7d]) }, 0],
    ['is stale', 'not json', {}, 301_000],
    ['is too large', 'not json', { body: new Uint8Array(1_048_577) }, 0],
    ['has no signature', 'not json', { headers: { 'x-webhook-signature': undefined } }, 0],
    ['is accepted', 'message.read', {}, 0],
  ]

test.each(others)('is not asked for what %s', async (_, name, changes, offset) => {
  const hook = vi.fn()
  const options = { onUnprocessable: hook, now: () => NOW + offset }
  await received(name, changes, options).catch(() => undefined)
  expect(hook).not.toHaveBeenCalled()
})
