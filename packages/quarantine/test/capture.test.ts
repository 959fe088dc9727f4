import { seededBelow } from '@webhook-receiver/checks/seeded.mjs'
import { expect, test } from 'vitest'
import {
  type Capture,
  CaptureError,
  captureBody,
  readCapture,
  writeCapture,
} from '../src/internal.ts'

const capture = {
  receivedAt: 1_769_860_800_005,
  method: 'POST',
  target: '/webhooks',
  httpVersion: '1.1',
  headers: [['X-Webhook-Id', 'a']],
  body: Buffer.from('{"é":1}\r\n'),
} as const

test.each([
  ['', { text: '' }],
  ['{"é":1}\r\n', { text: '{"é":1}\r\n' }],
  ['\ufeff{}', { text: '\ufeff{}' }],
  [Buffer.of(0xff, 0), { base64: '/wA=' }],
])('shows the body %j as text where that gives the same bytes', (body, shown) => {
  expect(captureBody(Buffer.from(body))).toEqual(shown)
  const text = writeCapture({ ...capture, body: Buffer.from(body) })
  expect(Buffer.from(readCapture(text).body)).toEqual(Buffer.from(body))
})

/** The text of a capture with other properties. */
const changed = (change: object) =>
  JSON.stringify({ ...JSON.parse(writeCapture(capture)), ...change })

test('comes back as it was, whatever is in it', () => {
  const random = seededBelow(5)
  const text = (most: number, from: number, to: number) =>
    String.fromCharCode(...Array.from({ length: random(most) }, () => from + random(to - from)))
  for (let round = 0; round < 300; round++) {
    const any = {
      receivedAt: random(4_000_000_000) * 1000 + random(1000),
      method: `M${text(5, 0x41, 0x5b)}`,
      target: `/${text(20, 0x21, 0x7f)}`,
      httpVersion: text(4, 0x30, 0x3a),
      headers: Array.from({ length: random(4) }, () => [
        `X-${text(5, 0x61, 0x7b)}`,
        text(20, 0x20, 0x100),
      ]),
      body: Buffer.from(Array.from({ length: random(30) }, () => random(random(256) + 1))),
    } as const
    const written = writeCapture(any as unknown as Capture, { more: 1 })
    // Editors put a mark in front.
    expect([readCapture(written), readCapture(`\ufeff${written}`)]).toEqual([any, any])
  }
})

const TARGET = '"target" is not a path or URL'
const HEADERS = '"headers" is not a list of [name, value]'
const BODY = '"body" has neither "text" nor "base64"'
const FORMAT = 'it has no "format": "webhook-receiver-capture"'
const VERSION = 'its "version" is not 1, which this program reads'

const INVALID: readonly (readonly [text: string | object, message: string])[] = [
  ...['', '{'].map((text) => [text, 'it is not JSON'] as const),
  ...['[]', 'null', { format: 'other' }].map((text) => [text, FORMAT] as const),
  ...([2, undefined] as const).map((version) => [{ version }, VERSION] as const),
  [{ received_at: 'today' }, '"received_at" is not a time'],
  ...(['P OST', '', ['POST']] as const).map(
    (method) => [{ method }, '"method" is not an HTTP method'] as const,
  ),
  ...(['webhooks', ' /x', 'http:/x', ['/x']] as const).map(
    (target) => [{ target }, TARGET] as const,
  ),
  [{ http_version: 1 }, '"http_version" is not a string'],
  ...[
    {},
    [['a', 'b'], ['a']],
    [['a', 1]],
    [['a', 'b', 'c']],
    [['a', 'b\r']],
    [['a b', 'c']],
    [['a', 'b\n']],
    [['a', 'b\0']],
  ].map((headers) => [{ headers }, HEADERS] as const),
  [
    { headers: [['a', '\u0100']] },
    'the value of the header a has a character that does not fit into one byte',
  ],
  ...[undefined, {}, { text: 1 }, { base64: '/wA' }].map((body) => [{ body }, BODY] as const),
]

test.each(INVALID)('%j is no capture', (change, message) => {
  const text = typeof change === 'string' ? change : changed(change)
  const read = () => readCapture(text)
  expect(read).toThrow(CaptureError)
  expect(read).toThrow(expect.objectContaining({ name: 'CaptureError', message }))
})
