import { afterEach, expect, test } from 'vitest'
import { parseJson } from '../../src/parse/json.ts'
import { received } from '../deliveries.ts'

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect('polluted' in {}).toBe(false)
})

const spellings = [
  '__proto__',
  '\\u005f_proto__',
  '\\u005F_proto__',
  '_\\u005fproto__',
  '__pr\\u006fto__',
  '__pr\\u006Fto__',
  '__proto_\\u005f',
  '\\u005f\\u005F\\u0070\\u0072\\u006f\\u0074\\u006F\\u005f\\u005f',
]

const places: readonly (readonly [string, (property: string) => string])[] = [
  ['at the top', (property) => `{${property},"kept":1}`],
  ['alone', (property) => `{${property}}`],
  ['in an object', (property) => `{"a":{"b":{${property},"kept":1}}}`],
  ['in an array', (property) => `[[1,{${property}}],{"kept":[{${property}}]}]`],
  ['twice', (property) => `{${property},"kept":1,${property}}`],
  ['in another of its kind', (property) => `{"a":{${property.replace('1', `{${property}}`)}}}`],
  ['at the greatest depth', (property) => `${'['.repeat(62)}{${property}}${']'.repeat(62)}`],
]

test.each(places.flatMap(([place, text]) => spellings.map((name) => ({ place, text, name }))))(
  'drops a property spelt $name $place',
  ({ text, name }) => {
    for (const property of [`"${name}":{"polluted":1}`, `"${name}" : 1`, `"${name}":null`]) {
      const source = text(property)
      expect(protos(JSON.parse(source)), 'the input holds what is to be dropped').toBeGreaterThan(0)
      const value = parseJson(new TextEncoder().encode(source))
      expect(protos(value)).toBe(0)
      expect(JSON.stringify(value)).not.toContain('polluted')
      if (source.includes('kept')) expect(JSON.stringify(value)).toContain('kept')
    }
  },
)

test('keeps a string of that name, and names that only resemble it', () => {
  const value = { text: '__proto__', proto: 1, __proto: 2, _proto__: 3, PROTO: ['\\u005f_proto__'] }
  expect(parseJson(new TextEncoder().encode(JSON.stringify(value)))).toEqual(value)
})

test('keeps properties named like those of every object as data', () => {
  const text =
    '{"constructor":{"prototype":{"polluted":1}},"toString":"a","hasOwnProperty":0,"\\u0061":1}'
  const value = parseJson(new TextEncoder().encode(text))
  expect(Object.entries(value ?? {})).toEqual([
    ['constructor', { prototype: { polluted: 1 } }],
    ['toString', 'a'],
    ['hasOwnProperty', 0],
    ['a', 1],
  ])
})

test('passes on a delivery that can be copied and merged without a prototype of the sender’s', async () => {
  const { delivery } = await received('proto')
  expect(delivery.event).toBe('message.received')
  expect(protos(delivery)).toBe(0)
  expect(delivery.data.data).toEqual({ list: [{}], text: 'hello' })
  const content = delivery.data.data
  for (const copy of [
    Object.assign({}, delivery),
    Object.assign({}, content),
    structuredClone(delivery),
    { ...content },
    merged({}, delivery),
  ]) {
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect('polluted' in copy).toBe(false)
  }
})

/** How many objects in a value have an own property `__proto__`. */
function protos(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const below = Object.entries(value).map(([, property]) => protos(property))
  return below.reduce((sum, count) => sum + count, Object.hasOwn(value, '__proto__') ? 1 : 0)
}

/** The careless deep merge that applications have. */
function merged(into: Record<string, unknown>, from: object): object {
  for (const [name, value] of Object.entries(from)) {
    const old = into[name]
    into[name] =
      typeof value === 'object' && value !== null && typeof old === 'object' && old !== null
        ? merged({ ...old }, value)
        : value
  }
  return into
}
