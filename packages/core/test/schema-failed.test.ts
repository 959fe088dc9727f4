import { expect, test } from 'vitest'
import { expectRefusal, received } from './deliveries.ts'

/** A Standard Schema that answers what a schema must not. */
const schema = (answer: unknown) => ({
  '~standard': { version: 1 as const, vendor: 'broken', validate: () => answer as never },
})

test.each([
  ['undefined', undefined],
  ['null', null],
])('a schema that answers %s has failed: 500 schema_failed', async (_, answer) => {
  const schemas = { 'message.received': schema(answer) }
  await expectRefusal(received('message.received', {}, { schemas }), 500, 'schema_failed')
})

test('issues with odd paths are told all the same', async () => {
  const schemas = { 'message.received': schema({ issues: [{ path: [null, undefined, {}] }, {}] }) }
  const attempt = received('message.received', {}, { schemas })
  const { detail } = await expectRefusal(attempt, 500, 'schema_mismatch')
  expect(detail).toContain('data.data.null.undefined.[object Object], data.data.')
})
