import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createReceiver, type Unprocessable } from '../../src/index.ts'
import { canary, current, expectRefusal, incoming, NOW } from '../deliveries.ts'

const settings = { now: () => NOW, onRejected: false } as const

describe('schemas of three libraries in one map', () => {
  const receiver = createReceiver(current.secret, {
    ...settings,
    schemas: {
      'message.received': z.object({ text: z.string().transform((text) => text.length) }),
      'message.sent': v.object({
        text: v.pipe(
          v.string(),
          v.transform((text) => text.toUpperCase()),
        ),
      }),
      'message.failed': type({ text: ['string', '=>', (text) => [...text]] }),
    },
  })

  test.each([
    ['message.received', 'Zod', 5],
    ['message.sent', 'Valibot', 'HELLO'],
    ['message.failed', 'ArkType', ['h', 'e', 'l', 'l', 'o']],
  ] as const)('pass on for %s what %s made of the content', async (name, _, text) => {
    const { delivery, verification } = await receiver.receive(incoming(name))
    expect(delivery).toMatchObject({
      known: true,
      id: '0199c7a2-5d3e-7b11-9c55-1f2e3d4c5b6a',
      event: name,
      data: { instance_id: 'inst_01', event: name, timestamp: '2025-10-09T08:53:19.870Z' },
    })
    expect(delivery.data.data).toEqual({ text })
    expect(Buffer.from(verification.rawBody).toString()).toContain('{"text":"hello"}')
  })

  test('leave events alone that they do not name', async () => {
    const { delivery } = await receiver.receive(incoming('message.read'))
    expect(delivery.data.data).toEqual({ text: 'hello' })
    const unknown = await receiver.receive(incoming('unknown constructor'))
    expect(unknown.delivery.known).toBe(false)
  })
})

test('waits for validators that answer later', async () => {
  const receiver = createReceiver(current.secret, {
    ...settings,
    schemas: {
      'message.received': z.object({ text: z.string().transform(async (text) => `${text}!`) }),
      'message.sent': v.objectAsync({
        text: v.pipeAsync(
          v.string(),
          v.checkAsync(async (text) => text === 'else'),
        ),
      }),
    },
  })
  const { delivery } = await receiver.receive(incoming('message.received'))
  expect(delivery.data.data).toEqual({ text: 'hello!' })
  await expectRefusal(receiver.receive(incoming('message.sent')), 500, 'schema_mismatch')
})

const strict = {
  'message.received': z.object({ status: z.enum(['ok']), count: z.number() }),
  'message.sent': v.object({ status: v.picklist(['ok']), count: v.number() }),
  'message.failed': type({ status: '"ok"', count: 'number' }),
}

describe.each([
  ['zod', 'message.received'],
  ['valibot', 'message.sent'],
  ['arktype', 'message.failed'],
] as const)('content that a schema of %s does not fit', (vendor, event) => {
  const refused = (options: {
    schemaMismatch?: 'retry' | 'refuse'
    onUnprocessable?: (fact: Unprocessable) => void
  }) => {
    const receiver = createReceiver(canary.secret, { ...settings, ...options, schemas: strict })
    return receiver.receive(incoming(`canary ${event}`))
  }

  test('is the receiver’s fault: 500 schema_mismatch', async () => {
    const error = await expectRefusal(refused({}), 500, 'schema_mismatch')
    expect(error).toMatchObject({ code: 'receiver_error', expose: false })
    await expectRefusal(refused({ schemaMismatch: 'retry' }), 500, 'schema_mismatch')
  })

  test('is the sender’s fault with schemaMismatch "refuse": 422 schema_refused', async () => {
    const error = await expectRefusal(refused({ schemaMismatch: 'refuse' }), 422, 'schema_refused')
    expect(error).toMatchObject({ code: 'content_not_accepted', expose: true })
  })

  test('is told by its place, never by its value', async () => {
    const facts: Unprocessable[] = []
    const onUnprocessable = (fact: Unprocessable) => void facts.push(fact)
    const { detail } = await expectRefusal(refused({ onUnprocessable }), 500, 'schema_mismatch')
    expect(detail).toContain(`the ${vendor} schema given for "${event}"`)
    expect(detail).toContain('data.data.status')
    expect(detail).toContain('data.data.count')
    expect(detail).not.toContain('BODYCANARY')
    expect(facts).toHaveLength(1)
    const messages = facts[0]?.issues?.map(({ message }) => message).join() ?? ''
    if (vendor !== 'zod') expect(messages, 'the issues do quote it').toContain('BODYCANARY')
    expect(facts[0]?.issues).toHaveLength(2)
  })
})

/** A Standard Schema of our own making. */
function schema(validate: StandardSchemaV1.Props<unknown, string>['validate']) {
  return { '~standard': { version: 1, vendor: 'ours', validate } } as const
}

test.each([
  [
    'throws',
    () => {
      throw new Error('BROKEN')
    },
  ],
  ['rejects', () => Promise.reject(new Error('BROKEN'))],
])('refuses where the validator %s: 500 schema_failed', async (_, validate) => {
  for (const schemaMismatch of ['retry', 'refuse'] as const) {
    const receiver = createReceiver(current.secret, {
      ...settings,
      schemaMismatch,
      schemas: { 'message.read': schema(validate) },
    })
    const error = await expectRefusal(
      receiver.receive(incoming('message.read')),
      500,
      'schema_failed',
    )
    expect(error.cause).toEqual(new Error('BROKEN'))
    expect(error.detail).toContain('"message.read"')
    expect(error.detail).not.toContain('BROKEN')
  }
})

test('names at most five places, by any kind of path, each in part and on one line', async () => {
  const issues: StandardSchemaV1.Issue[] = [
    { message: '' },
    { message: '', path: [] },
    { message: '', path: ['a', { key: 'b' }, 0, Symbol('s')] },
    { message: '', path: ['x'.repeat(200)] },
    { message: '', path: ['line\nbreak'] },
    { message: '', path: ['sixth'] },
  ]
  const receiver = createReceiver(current.secret, {
    ...settings,
    schemas: { 'message.read': schema(() => ({ issues })) },
  })
  const { detail } = await expectRefusal(
    receiver.receive(incoming('message.read')),
    500,
    'schema_mismatch',
  )
  expect(detail).toContain('data.data, data.data, data.data.a.b.0.Symbol(s), ')
  expect(detail).toContain(`data.data.${'x'.repeat(40)},`)
  expect(detail).not.toContain('sixth')
  expect(detail).not.toContain('\n')
})

test('validates an extra event and marks it as known', async () => {
  const receiver = createReceiver(current.secret, {
    ...settings,
    extraEvents: ['message.reacted', 'constructor'],
    schemas: { 'message.reacted': z.object({ text: z.literal('hello') }) },
  })
  const { delivery } = await receiver.receive(incoming('unknown message.reacted'))
  expect(delivery).toMatchObject({ known: true, event: 'message.reacted' })
  const other = await receiver.receive(incoming('unknown constructor'))
  expect(other.delivery).toMatchObject({ known: true, event: 'constructor' })
})
