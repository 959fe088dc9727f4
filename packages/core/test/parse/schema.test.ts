import { runInNewContext } from 'node:vm'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Unprocessable } from '../../src/index.ts'
import {
  canary,
  expectRejection,
  incoming,
  received,
  receiverWith,
  schemasOf,
} from '../deliveries.ts'

describe('schemas of three libraries in one map', () => {
  const receiver = receiverWith({
    schemas: {
      'message.received': z.object({ text: z.string().transform(async (text) => text.length) }),
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

describe('content that a schema does not fit', () => {
  const strict = { 'message.sent': v.object({ status: v.picklist(['ok']), count: v.number() }) }
  const rejected = (options: {
    schemaMismatch?: 'retry' | 'reject'
    onUnprocessable?: (fact: Unprocessable) => void
  }) => {
    const receiver = receiverWith({ ...options, schemas: strict }, canary.secret)
    return receiver.receive(incoming('canary message.sent'))
  }

  test('is the receiver’s fault: 500 schema_mismatch, or with schemaMismatch "reject" 422', async () => {
    await expectRejection(rejected({}), 500, 'schema_mismatch')
    await expectRejection(rejected({ schemaMismatch: 'reject' }), 422, 'schema_rejected')
  })

  test('is told by its place, never by its value', async () => {
    const onUnprocessable = vi.fn()
    const { detail } = await expectRejection(rejected({ onUnprocessable }), 500, 'schema_mismatch')
    expect(detail).toContain('"message.sent" does not fit its valibot schema')
    expect(detail).toContain('data.data.status')
    expect(detail).toContain('data.data.count')
    expect(detail).not.toContain('BODYCANARY')
    const issues = onUnprocessable.mock.calls.flatMap(([fact]) => fact.issues ?? [])
    expect(issues).toHaveLength(2)
    expect(issues.map(({ message }) => message).join(), 'quotes it').toContain('BODYCANARY')
  })
})

const broken = new Error('BROKEN')
const throws = (thrown: unknown) => async () => {
  throw thrown
}

test.each([
  ['rejects', throws(broken), 'threw Error. Log `cause` in `onRejected` to see it.'],
  [
    'rejects with an error of Node in Jest',
    throws(runInNewContext("new RangeError('BROKEN')")),
    'threw RangeError. ',
  ],
  ['rejects with what is no error', throws('BROKEN'), 'threw no Error. '],
  ['returns a promise of null', async () => null, 'returned no result.'],
  ['returns nothing', () => undefined, 'returned no result.'],
  ['returns neither value nor issues', () => ({}), 'returned no result.'],
])('a validator that %s has failed: 500 schema_failed', async (what, validate, says) => {
  const schemas = schemasOf(validate, 'message.read')
  const attempt = received('message.read', {}, { schemas, schemaMismatch: 'reject' })
  const { cause, detail } = await expectRejection(attempt, 500, 'schema_failed')
  expect(detail).toContain(`The schema of "message.read" ${says}`)
  expect(detail).not.toContain('BROKEN')
  if (what === 'rejects') expect(cause).toBe(broken)
})

test.each([
  [
    'any kind of path',
    [
      {},
      null,
      { path: ['a', { key: 'b' }, 0, Symbol('s')] },
      { path: [{ key: null }, Object.create(null)] },
    ],
    'Also at data.data, data.data.a.b.0.Symbol(s), data.data.(object).(object).',
  ],
  ['five places', Array(6).fill({ path: ['a'] }), `at ${Array(4).fill('data.data.a').join(', ')}.`],
  ['deep paths', [{ path: Array(5000).fill('nested') }], `at data.data${'.nested'.repeat(13)}:`],
])('the detail names places by %s', async (_, issues, expected) => {
  const schemas = schemasOf(() => ({ issues }), 'message.read')
  const attempt = received('message.read', {}, { schemas })
  const { detail } = await expectRejection(attempt, 500, 'schema_mismatch')
  expect(`${detail} `).toContain(` ${expected} `)
  expect(detail.length).toBeLessThan(600)
})
