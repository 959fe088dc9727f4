import { expect, test } from 'vitest'
import { readEnvelope } from '../../src/contract/envelope.ts'
import { expectRejection } from '../deliveries.ts'

// Every field with every wrong value is in ../vectors.test.ts.
const whole = {
  id: 'MARK-id',
  event: 'MARK.event',
  created_at: 'MARK-created',
  data: { instance_id: 'MARK-inst', event: 'MARK.event', data: { a: 'MARK' }, timestamp: 'MARK-t' },
}
const { data } = whole

test.each([
  [{ ...whole, id: undefined }, '"id" should be a non-empty string, and is missing.'],
  [{ ...whole, event: '' }, '"event" should be a non-empty string, and is an empty string.'],
  [
    { ...whole, data: { ...data, instance_id: 73571 } },
    '"data.instance_id" should be a non-empty string, and is a number.',
  ],
  [
    { ...whole, data: { ...data, event: 'mark.event' } },
    '"data.event" should be the same as "event".',
  ],
  [
    { ...whole, data: { ...data, data: ['MARK'] } },
    '"data.data" should be an object, and is an array.',
  ],
  ['MARK', 'the body should be an object, and is a string.'],
])('names the field that is wrong and its kind, and shows no value: %j', async (body, fault) => {
  const { detail } = await expectRejection(() => readEnvelope(body), 400, 'envelope_invalid')
  expect(detail).toContain(fault)
  expect(detail).not.toMatch(/MARK|73571/i)
})

test('does not take an inherited property for a field', async () => {
  const { id, ...others } = whole
  const body = Object.assign(Object.create({ id }), others)
  const { detail } = await expectRejection(() => readEnvelope(body), 400, 'envelope_invalid')
  expect(detail).toContain('"id" should be a non-empty string, and is missing.')
})
