import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import schema from '../../conformance/scheme.schema.json' with { type: 'json' }
import { defineScheme, type SchemeValue } from '../src/index.ts'
import { ACME } from './acme.ts'

const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema)

const ping = { name: 'ping', when: { '/type': 'ping' }, response: { status: 200 } }
const hmac = { algorithm: 'hmac-sha256', secret: 'text' }

const list = <Item>(count: number, item: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at))
const record = <Item>(count: number, name: (at: number) => string, item: Item) =>
  Object.fromEntries(list(count, (at) => [name(at), item]))
const two = (at: number) => String(at).padStart(5, '0')
const names = (count: number) => list(count, (at) => `x-${at}`)
const handshake = (change: object) => ({ handshakes: [{ ...ping, ...change }] })

/** A value in which one list has so many entries. */
const LISTS: Readonly<Record<string, (count: number) => object>> = {
  signed: (count) => ({ signed: [...list(count - 1, () => ({ text: '.' })), 'body'] }),
  'signed.header': (count) => ({ signed: [{ header: names(count) }, 'body'] }),
  keys: (count) => ({ keys: list(count, (at) => ({ ...hmac, secretPrefix: `k${two(at)}_` })) }),
  'signature.header': (count) => ({ signature: { header: names(count), encoding: 'hex' } }),
  id: (count) => ({ id: list(count, (at) => ({ header: `x-${at}` })) }),
  'id.header': (count) => ({ id: [{ header: names(count) }] }),
  event: (count) => ({ event: list(count, (at) => ({ pointer: `/${at}` })) }),
  'timestamp.at.header': (count) => ({ timestamp: { at: { header: names(count) }, unit: 's' } }),
  handshakes: (count) => ({ handshakes: list(count, () => ping) }),
  'handshakes.when': (count) => handshake({ when: record(count, (at) => `/${at}`, 1) }),
  'handshakes.response.json': (count) =>
    handshake({ response: { status: 200, json: record(count, two, 1) } }),
  'getCheck.when': (count) => ({
    getCheck: { name: 'a', token: 't', echo: 'e', when: record(count, two, 'a') },
  }),
  'secret.mistaken': (count) => ({ secret: { called: 'a', mistaken: record(count, two, 'a') } }),
  'requests.recognised': (count) => ({ requests: { recognised: record(count, two, 'a') } }),
  'requests.weak': (count) => ({ requests: { weak: record(count, two, 'a') } }),
  'requests.others': (count) => ({
    requests: { others: list(count, () => ({ header: 'x-a', is: 'b' })) },
  }),
  action: (count) => ({
    event: [{ pointer: '/a' }],
    action: list(count, (at) => ({ pointer: `/${at}` })),
  }),
  'replies.statuses': (count) => ({
    replies: { statuses: record(count, (at) => `${200 + (at % 400)}`, []) },
  }),
  'replies.statuses.200': (count) => ({
    replies: { statuses: { 200: list(count, () => 'text/plain') } },
  }),
}

describe.each(Object.entries(LISTS))('%s of a scheme', (name, valueWith) => {
  test('has up to 32 entries, for `defineScheme` and for the JSON Schema', () => {
    const value = { ...ACME, ...valueWith(32) } as SchemeValue
    expect(defineScheme(value).name).toBe('acme')
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true)
  })

  test.each([33, 10_000])('with %i is a TypeError that names it', (count) => {
    const value = { ...ACME, ...valueWith(count) } as SchemeValue
    expect(() => defineScheme(value)).toThrow(TypeError)
    expect(() => defineScheme(value)).toThrow(`\`${name}\` should have at most 32 entries; it has`)
    expect(validate(value)).toBe(false)
  })
})

const circle: unknown[] = []
circle.push(circle)

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
])('a scheme with too much of %s is a TypeError', (_, change, message) => {
  const define = () => defineScheme({ ...ACME, ...change } as SchemeValue)
  expect(define).toThrow(TypeError)
  expect(define).toThrow(message)
})

const LINE = 'a\n[webhook-receiver] 200\u001b[31m'

test.each<readonly [name: string, change: object]>([
  ['title', { title: LINE }],
  ['documentation', { documentation: LINE }],
  ['secret.called', { secret: { called: LINE } }],
  ['secret.begins', { secret: { called: 'a', begins: LINE } }],
  ['secret.several', { secret: { called: 'a', several: LINE } }],
  ['secret.mistaken', { secret: { called: 'a', mistaken: { b: LINE } } }],
  ['requests.signing', { requests: { signing: LINE } }],
  ['requests.post', { requests: { post: LINE } }],
  ['requests.weak', { requests: { weak: { 'x-a': LINE } } }],
  ['requests.others.is', { requests: { others: [{ header: 'x-a', is: LINE }] } }],
  ['replies.instead', { replies: { statuses: { 200: [] }, instead: LINE } }],
  ['handshakes.name', handshake({ name: LINE })],
  ['signature.separator', { signature: { ...ACME.signature, separator: LINE } }],
  ['keys.prefix', { keys: [{ ...hmac, prefix: LINE }] }],
])('`%s` of a scheme stands in one line of a terminal', (name, change) => {
  const value = { ...ACME, ...change } as SchemeValue
  expect(() => defineScheme(value)).toThrow(`\`${name}\` should be `)
  expect(validate(value)).toBe(false)
})

test('a property that there is not is named without marks that turn text around', () => {
  const define = () => defineScheme({ ...ACME, 'a\u202eb': 1 } as SchemeValue)
  expect(define).toThrow('There is no property "a\\u{202e}b"')
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
