import { describe, expect, test } from 'vitest'
import { expectRefusal, received } from '../deliveries.ts'

/** A Standard Schema that answers what a schema must not. */
const schema = (answer: unknown) => ({
  '~standard': { version: 1 as const, vendor: 'broken', validate: () => answer as never },
})

describe.each(['retry', 'refuse'] as const)('with schemaMismatch %j', (schemaMismatch) => {
  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a promise of undefined', Promise.resolve(undefined)],
    ['a promise of null', Promise.resolve(null)],
    ['true', true],
    ['a number', 42],
    ['an array', []],
    ['neither value nor issues', {}],
    ['issues that are not an array', { issues: true }],
    ['issues that are text', { issues: 'x' }],
    ['issues that are an object', { issues: {} }],
  ])('a schema that answers %s has failed: 500 schema_failed', async (_, answer) => {
    const schemas = { 'message.received': schema(answer) }
    const attempt = received('message.received', {}, { schemas, schemaMismatch })
    const { detail } = await expectRefusal(attempt, 500, 'schema_failed')
    expect(detail).toContain('"message.received"')
  })
})

test('issues with odd paths are told all the same', async () => {
  const schemas = {
    'message.received': schema({
      issues: [{ path: [null, undefined, {}] }, {}, { path: null }, { path: [{ key: null }] }],
    }),
  }
  const attempt = received('message.received', {}, { schemas })
  const { detail } = await expectRefusal(attempt, 500, 'schema_mismatch')
  expect(detail).toContain(
    'at data.data.(null).undefined.(object), data.data, data.data, data.data.(null). ',
  )
})

test('issues that are nonsense are told all the same, in bounded length', async () => {
  const bare = Object.create(null)
  const path = ['a\nb\u2028c', bare, { key: bare }, ...Array.from({ length: 5000 }, () => 'deep')]
  const schemas = { 'message.received': schema({ issues: [null, 5, { path: 5 }, { path }] }) }
  const attempt = received('message.received', {}, { schemas })
  const { detail } = await expectRefusal(attempt, 500, 'schema_mismatch')
  expect(detail).toContain(
    'data.data, data.data, data.data, data.data.a b c.(object).(object).deep',
  )
  expect(detail.length).toBeLessThan(600)
})
