import { expect, test } from 'vitest'
import { diagnose } from '../src/index.ts'
import { BODY, ID, produced, TIMESTAMP } from './produced.ts'

test.each([
  ['message_with_id', `${TIMESTAMP}.${ID}.`],
  ['message_with_id', `${ID}:${TIMESTAMP}:`],
  ['message_with_id', ID],
  ['message_separator', `${TIMESTAMP}:`],
  ['message_separator', `${TIMESTAMP}|`],
  ['message_separator', `${TIMESTAMP}..`],
  ['message_separator', `${TIMESTAMP}\r\n`],
])('names %s where %j was signed in front of the body', async (code, prefix) => {
  const [first] = await diagnose(produced({ signed: [prefix, BODY] }))
  expect(first).toMatchObject({ code, certainty: 'certain' })
})

test.each(['.[object Object]', '.{}'])(
  'names message_without_body where %j stood behind the timestamp',
  async (end) => {
    const [first] = await diagnose(produced({ signed: [TIMESTAMP, end] }))
    expect(first).toMatchObject({ code: 'message_without_body', certainty: 'certain' })
  },
)

test('a body that is empty is none that was left out', async () => {
  const [first] = await diagnose(produced({ signed: [TIMESTAMP, '.{}'], body: '' }))
  expect(first.code).toBe('body_empty')
})

test.each([
  ['with the id', [`${ID}.undefined.`, BODY]],
  ['without a dot', ['undefined', BODY]],
  ['without the body', ['undefined.']],
])('takes no word for a timestamp that did not come: %s', async (_, signed) => {
  const found = await diagnose(produced({ signed, timestamp: undefined }))
  expect(found).toMatchObject([{ code: 'timestamp_missing', certainty: 'possible' }])
})
