import { expect, test } from 'vitest'
import { readEnvelope } from '../../src/contract/envelope.ts'
import { expectRejection, received } from '../deliveries.ts'

const whole = {
  id: 'MARK-id',
  event: 'MARK.event',
  created_at: 'MARK-created',
  data: { instance_id: 'MARK-inst', event: 'MARK.event', data: { a: 'MARK' }, timestamp: 'MARK-t' },
}

test('takes a body that has every field', () => {
  expect(readEnvelope(whole)).toEqual(whole)
})

const texts = [
  'id',
  'event',
  'created_at',
  'data.instance_id',
  'data.event',
  'data.timestamp',
] as const
const objects = ['data', 'data.data'] as const

const wrongTexts: readonly (readonly [unknown, string])[] = [
  [undefined, 'missing'],
  [null, 'null'],
  ['', 'an empty string'],
  [73571, 'a number'],
  [0, 'a number'],
  [true, 'a boolean'],
  [['MARK'], 'an array'],
  [{ MARK: 'MARK' }, 'an object'],
]
const wrongObjects: readonly (readonly [unknown, string])[] = [
  [undefined, 'missing'],
  [null, 'null'],
  ['', 'an empty string'],
  ['MARK', 'a string'],
  [73571, 'a number'],
  [false, 'a boolean'],
  [['MARK'], 'an array'],
]

const cases = [
  ...texts.flatMap((field) =>
    wrongTexts.map(([value, kind]) => ({ field, value, kind, expected: 'a non-empty string' })),
  ),
  ...objects.flatMap((field) =>
    wrongObjects.map(([value, kind]) => ({ field, value, kind, expected: 'an object' })),
  ),
]

test.each(cases)(
  'rejects "$field" that is $kind: 400 envelope_invalid',
  async ({ field, value, kind, expected }) => {
    const error = await expectRejection(
      () => readEnvelope(replaced(field, value)),
      400,
      'envelope_invalid',
    )
    expect(error.detail).toContain(`"${field}" should be ${expected}, and is ${kind}.`)
    expect(error.detail).not.toMatch(/MARK|73571/)
  },
)

test('does not take an inherited property for a field', async () => {
  const body: unknown = Object.assign(Object.create({ id: 'MARK' }), { ...whole, id: undefined })
  if (typeof body === 'object' && body !== null) Reflect.deleteProperty(body, 'id')
  const { detail } = await expectRejection(() => readEnvelope(body), 400, 'envelope_invalid')
  expect(detail).toContain('"id" should be a non-empty string, and is missing.')
})

test.each([
  [null, 'null'],
  [[whole], 'an array'],
  ['MARK', 'a string'],
  [73571, 'a number'],
  [true, 'a boolean'],
])('rejects a body that is %j: 400 envelope_invalid', async (body, kind) => {
  const { detail } = await expectRejection(() => readEnvelope(body), 400, 'envelope_invalid')
  expect(detail).toContain(`the body should be an object, and is ${kind}.`)
  expect(detail).not.toMatch(/MARK|73571/)
})

test('rejects an inner event that differs from the outer: 400 envelope_invalid', async () => {
  for (const other of ['MARK.other', 'mark.event', 'MARK.event ']) {
    const { detail } = await expectRejection(
      () => readEnvelope(replaced('data.event', other)),
      400,
      'envelope_invalid',
    )
    expect(detail).toContain('"data.event" should be the same as "event".')
    expect(detail).not.toMatch(/mark/i)
  }
})

test('accepts any non-empty string for an identifier or a time', () => {
  for (const field of ['id', 'created_at', 'data.timestamp', 'data.instance_id']) {
    for (const value of [' ', '0', '\u0000', 'not a date']) {
      expect(() => readEnvelope(replaced(field, value))).not.toThrow()
    }
  }
})

test('keeps fields of later versions on every level', () => {
  const body = {
    ...whole,
    version: 2,
    data: { ...whole.data, tenant: { a: [1] }, data: { a: 'MARK', more: null } },
  }
  expect(readEnvelope(body)).toEqual(body)
})

test('passes on the extra fields of a verified delivery, except one named "known"', async () => {
  const { delivery } = await received('extra fields')
  expect(delivery).toMatchObject({ known: true, version: 2, data: { version: 2, known: false } })
})

test.each([
  'unknown message.reacted',
  'unknown constructor',
  'unknown toString',
  'unknown __proto__',
  'unknown hasOwnProperty',
] as const)('passes on an %s event as one that is not known', async (name) => {
  const { delivery } = await received(name)
  expect(delivery.known).toBe(false)
  expect(delivery.event).toBe(name.slice('unknown '.length))
  expect(delivery.data).toMatchObject({ event: delivery.event, data: { text: 'hello' } })
})

/** The whole body with one field, given by its path, replaced. */
function replaced(path: string, value: unknown): unknown {
  const [outer = '', inner] = path.split('.')
  return inner === undefined
    ? { ...whole, [outer]: value }
    : { ...whole, data: { ...whole.data, [inner]: value } }
}
