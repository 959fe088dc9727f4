import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { reply } from '../../src/index.ts'

class Money {
  readonly cents = 1
}

const circle: { self?: object } = {}
circle.self = circle

describe('a reply that cannot be sent is a TypeError that says why', () => {
  test.each<readonly [what: string, given: object, message: string]>([
    ['a status', { status: 199 }, 'from 200 to 599, and not 205; got 199.'],
    ['a status', { status: 600 }, '`status` of a reply'],
    ['a body with 204', { status: 204, body: '' }, 'a response with 204 has none'],
    ['a status for browsers', { status: 205 }, 'and not 205; got 205.'],
    ['a body with 304', { status: 304, body: {} }, 'a response with 304 has none'],
    [
      'a prototype',
      { headers: JSON.parse('{"__PROTO__":"a"}') },
      '"__PROTO__" is not the name of a header',
    ],
    [
      'a name that ASCII has not',
      { headers: { 'X-\u212aey': 'a' } },
      'is not the name of a header',
    ],
    ['a line break', { headers: { a: 'b\r\nc: d' } }, 'without line breaks'],
    ['white space around it', { headers: { a: 'b ' } }, 'white space around it'],
    ['a number', { headers: { a: 1 } }, '"a" should be text in Latin-1'],
    [
      'no media type',
      { headers: { 'Content-Type': 'xml' } },
      '"Content-Type" should be a media type',
    ],
    [
      'a file name',
      { headers: { 'content-disposition': 'ä' } },
      'other characters go into `filename*`',
    ],
    ['Headers', { headers: new Headers() }, 'a Headers: pass Object.fromEntries(it)'],
    ['pairs', { headers: [['a', 'b']] }, '`headers` of a reply should be a plain object'],
    ['a promise', { body: Promise.resolve({}) }, 'got a Promise: await it first'],
    ['a Set', { body: { a: [new Set()] } }, 'its "0" is a Set: pass [...it]'],
    ['an Error', { body: new TypeError('a') }, 'got an Error: pass what the service may see'],
    ['a Date', { body: { at: new Date(0) } }, 'its "at" is a Date: pass its toISOString()'],
    ['bytes inside', { body: { a: new Uint8Array(1) } }, 'its "a" is a Uint8Array: pass it as'],
    ['an instance', { body: new Money() }, 'got a Money: pass a plain object'],
    ['a function', { body: () => {} }, 'got a function'],
    ['a bigint', { body: { cents: 1n } }, 'its "cents" is a bigint: pass it as text'],
    ['NaN', { body: { cents: Number.NaN } }, 'its "cents" is NaN'],
    ['nothing', { body: { toJSON: () => undefined } }, 'be data; its `toJSON` returned none'],
    ['a circle', { body: circle }, 'circular'],
    ['a misspelt name', { statusCode: 400 }, 'no option "statusCode". The options are: status, h'],
  ])('%s: %#', (_, given, message) => {
    expect(() => reply(given)).toThrow(TypeError)
    expect(() => reply(given)).toThrow(message)
  })

  test.each(['connection', 'transfer-encoding', 'Content-Length', 'TE'])(
    'the header %s, which the server decides',
    (name) => {
      expect(() => reply({ headers: { [name]: 'trailers' } })).toThrow(
        /is for the server to decide/,
      )
    },
  )
})

test.each<readonly [given: object, made: object]>([
  [{}, { status: 200, headers: {} }],
  [{ body: 'a' }, { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'a' }],
  [
    { body: '<a/>', headers: { 'Content-Type': 'text/xml', 'X-A': 'é' } },
    { headers: { 'content-type': 'text/xml', 'x-a': 'é' }, body: '<a/>' },
  ],
  [{ body: Uint8Array.of(0) }, { headers: { 'content-type': 'application/octet-stream' } }],
  [{ body: null }, { headers: { 'content-type': 'application/json' }, body: 'null' }],
  [{ body: Object.create(null, { a: { value: 1, enumerable: true } }) }, { body: '{"a":1}' }],
  [
    { status: 599, body: {} },
    { status: 599, body: '{}' },
  ],
  [{ status: 304 }, { status: 304, headers: {} }],
])('a reply of %j is sent as it is', (given, made) => {
  expect(reply(given)).toMatchObject(made)
})

test('plain data of another realm, as under Jest, is sent too', () => {
  const given = runInNewContext("({ headers: { a: 'b' }, body: { list: [{}] } })")
  expect(reply(given)).toMatchObject({ headers: { a: 'b' }, body: '{"list":[{}]}' })
  const bytes = runInNewContext('({ body: Uint8Array.of(1, 2) })')
  expect(reply(bytes).body).toEqual(Uint8Array.of(1, 2))
})

test('nothing of a reply can be changed later', () => {
  const bytes = Buffer.from('abc').subarray(1)
  const made = reply({ body: bytes, headers: { a: 'b' } })
  bytes.fill(0)
  expect(Buffer.from(made.body as Uint8Array).toString()).toBe('bc')
  expect(Object(made.body).buffer.byteLength).toBe(2)
  expect(() => Object.assign(made.headers, { 'content-length': '1' })).toThrow(TypeError)
  expect(() => Object.assign(made, { status: 99 })).toThrow(TypeError)
})
