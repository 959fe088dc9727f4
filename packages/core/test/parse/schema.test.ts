import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createReceiver, type Unprocessable } from '../../src/index.ts'
import { signedRequest } from '../../src/testing/index.ts'
import {
  canary,
  current,
  expectRejection,
  incoming,
  received,
  receiverWith,
  schemasOf,
} from '../deliveries.ts'

describe('schemas of three libraries in one map', () => {
  const receiver = receiverWith({
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

test('the schema of an event is not that of a newer one whose name begins with it', async () => {
  const receiver = createReceiver(current.secret, {
    onRejected: false,
    schemas: { 'message.read': z.object({ never: z.string() }) },
    extraEvents: ['message.read_by'],
  })
  const { secret } = current
  const request = await signedRequest('message.read_by', { text: 'hello' }, { secret })
  const received = await receiver.receiveRequest(request)
  expect(received.delivery).toMatchObject({ known: true, data: { data: { text: 'hello' } } })
})

test('waits for validators that return a promise', async () => {
  const receiver = receiverWith({
    schemas: {
      'message.received': z.object({ text: z.string().transform(async (text) => `${text}!`) }),
    },
  })
  const { delivery } = await receiver.receive(incoming('message.received'))
  expect(delivery.data.data).toEqual({ text: 'hello!' })
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
    const error = await expectRejection(rejected({}), 500, 'schema_mismatch')
    expect(error).toMatchObject({ code: 'receiver_error', expose: false })
    const other = rejected({ schemaMismatch: 'reject' })
    const { code } = await expectRejection(other, 422, 'schema_rejected')
    expect(code).toBe('content_not_accepted')
  })

  test('is told by its place, never by its value', async () => {
    const facts: Unprocessable[] = []
    const onUnprocessable = (fact: Unprocessable) => void facts.push(fact)
    const { detail } = await expectRejection(rejected({ onUnprocessable }), 500, 'schema_mismatch')
    expect(detail).toContain('"message.sent" does not fit its valibot schema')
    expect(detail).toContain('data.data.status')
    expect(detail).toContain('data.data.count')
    expect(detail).not.toContain('BODYCANARY')
    expect(facts).toHaveLength(1)
    const messages = facts[0]?.issues?.map(({ message }) => message).join() ?? ''
    expect(messages, 'the issues do quote it').toContain('BODYCANARY')
    expect(facts[0]?.issues).toHaveLength(2)
  })
})

const fails = () => {
  throw new Error('BROKEN')
}

test('a validator that rejects has failed: 500 schema_failed', async () => {
  const schemas = schemasOf(async () => fails(), 'message.read')
  const attempt = received('message.read', {}, { schemas, schemaMismatch: 'reject' })
  const error = await expectRejection(attempt, 500, 'schema_failed')
  expect(error.cause).toEqual(new Error('BROKEN'))
  expect(error.detail).toMatch(
    /^The schema of "message\.read" threw Error: `onRejected` gets it as `cause`\.$/,
  )
  expect(error.detail).not.toContain('BROKEN')
})

test('a validator that throws what is no error has failed, and nothing of that is quoted', async () => {
  const throws = () => {
    throw 'BROKEN'
  }
  const attempt = received('message.read', {}, { schemas: schemasOf(throws, 'message.read') })
  const { detail } = await expectRejection(attempt, 500, 'schema_failed')
  expect(detail).toContain(' threw no Error: ')
})

test.each([
  ['a promise of null', Promise.resolve(null)],
  ['nothing', undefined],
  ['neither value nor issues', {}],
])('a validator that returns %s has failed: 500 schema_failed', async (_, result) => {
  const schemas = schemasOf(() => result, 'message.read')
  const attempt = received('message.read', {}, { schemas, schemaMismatch: 'reject' })
  const { detail } = await expectRejection(attempt, 500, 'schema_failed')
  expect(detail).toContain(' returned no result.')
})

test.each<readonly [string, readonly unknown[], string]>([
  [
    'any kind of path',
    [{}, null, { path: ['a', { key: 'b' }, 0, Symbol('s')] }, { path: [{ key: null }] }],
    'Also at data.data, data.data.a.b.0.Symbol(s), data.data.(null).',
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
