import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import schema from '../../conformance/scheme.schema.json' with { type: 'json' }
import { defineScheme, type SchemeValue } from '../src/index.ts'
import { ACME } from './acme.ts'

const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema)

const ping = { name: 'ping', when: { '/type': 'ping' }, response: { status: 200 } }
const hmac = { algorithm: 'hmac-sha256', secret: 'text' }

const list = <Item>(count: number, item: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at))
const handshake = (change: object) => ({ handshakes: [{ ...ping, ...change }] })

/** A value in which one list has so many entries. */
const LISTS: Readonly<Record<string, (count: number) => object>> = {
  signed: (count) => ({ signed: [...list(count - 1, () => ({ text: '.' })), 'body'] }),
  'id.header': (count) => ({ id: [{ header: list(count, (at) => `x-${at}`) }] }),
  'handshakes.when': (count) =>
    handshake({ when: Object.fromEntries(list(count, (at) => [`/${at}`, 1])) }),
  'replies.statuses.200': (count) => ({
    replies: { statuses: { 200: list(count, () => 'text/plain') } },
  }),
}

test.each(Object.entries(LISTS))(
  '%s of a scheme has up to 32 entries, for `defineScheme` and for the JSON Schema, and with 33 is named',
  (name, valueWith) => {
    const value = { ...ACME, ...valueWith(32) } as SchemeValue
    expect(defineScheme(value).name).toBe('acme')
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true)
    expectRejected(valueWith(33), `\`${name}\` should have at most 32 entries; it has`)
    expect(validate({ ...ACME, ...valueWith(33) })).toBe(false)
  },
)

function expectRejected(change: object, message: string | RegExp): void {
  const define = () => defineScheme({ ...ACME, ...change } as SchemeValue)
  expect(define).toThrow(TypeError)
  expect(define).toThrow(message)
}

const circle: Record<string, unknown> = {}
circle.a = circle

test.each<readonly [what: string, change: object, message: RegExp]>([
  ['one text', { title: 'a'.repeat(20_000) }, /`the scheme` should have at most 16384 characters/],
  [
    'many texts',
    { signed: [...list(31, () => ({ text: 'a'.repeat(600) })), 'body'] },
    /16384 characters/,
  ],
  ['names', handshake({ when: { [`/${'a/'.repeat(10_000)}`]: 1 } }), /16384 characters/],
  ['depth', { id: JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) }, /nested that deep/],
  ['no end', { id: circle }, /nested that deep/],
  [
    'a URL',
    { signed: ['url', { text: '.' }, 'url', 'body'] },
    /`signed` .* should have 'url' once/,
  ],
])('a scheme with too much of %s is a TypeError', (_, change, message) =>
  expectRejected(change, message),
)

const LINE = 'a\n[webhook-receiver] 200\u001b[31m'

test.each<readonly [name: string, change: object]>([
  ['title', { title: LINE }],
  ['secret.mistaken', { secret: { called: 'a', mistaken: { b: LINE } } }],
  ['keys.prefix', { keys: [{ ...hmac, prefix: LINE }] }],
])('`%s` of a scheme stands in one line of a terminal', (name, change) => {
  expectRejected(change, `\`${name}\` should be `)
  expect(validate({ ...ACME, ...change })).toBe(false)
})

test('a scheme is made from what was checked, whatever its value becomes', () => {
  const reads: string[] = []
  const row = {
    ...ACME,
    signature: {
      encoding: 'hex' as const,
      get header() {
        reads.push('header')
        return reads.length === 1 ? 'x-a' : 'x-b'
      },
    },
    signed: ['body'],
  }
  const scheme = defineScheme(row as never)
  row.signed.unshift('timestamp')
  expect(scheme.headers).toContain('x-a')
  expect(scheme.value.signed).toEqual(['body'])
  expect(() => Object.assign(scheme.value.signature, { encoding: 'base64' })).toThrow(TypeError)
})
