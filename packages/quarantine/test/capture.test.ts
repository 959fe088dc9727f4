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

/** What a text or a capture with these properties is rejected with. */
const INVALID: Readonly<Record<string, readonly (string | object)[]>> = {
  'it is not JSON': ['', '{'],
  'it has no "format": "webhook-receiver-capture"': ['[]', 'null', { format: 'other' }],
  'its "version" is not 1, which this program reads': [{ version: 2 }, { version: undefined }],
  '"received_at" is not a time': [{ received_at: 'today' }],
  '"method" is not an HTTP method': [{ method: 'P OST' }, { method: '' }, { method: ['POST'] }],
  '"target" is not a path or URL': ['webhooks', ' /x', 'http:/x', ['/x']].map((target) => ({
    target,
  })),
  '"http_version" is not a string': [{ http_version: 1 }],
  '"headers" is not a list of [name, value]': [
    {},
    [['a', 'b'], ['a']],
    [['a', 1]],
    [['a', 'b', 'c']],
    [['a b', 'c']],
    ...['b\r', 'b\n', 'b\0'].map((value) => [['a', value]]),
  ].map((headers) => ({ headers })),
  'the value of the header a has a character that does not fit into one byte': [
    { headers: [['a', '\u0100']] },
  ],
  '"body" has neither "text" nor "base64"': [undefined, {}, { text: 1 }, { base64: '/wA' }].map(
    (body) => ({ body }),
  ),
}

test.each(
  Object.entries(INVALID).flatMap(([message, changes]) =>
    changes.map((change) => [change, message] as const),
  ),
)('%j is no capture', (change, message) => {
  const file = JSON.parse(writeCapture(capture))
  const text = typeof change === 'string' ? change : JSON.stringify({ ...file, ...change })
  const read = () => readCapture(text)
  expect(read).toThrow(CaptureError)
  expect(read).toThrow(expect.objectContaining({ name: 'CaptureError', message }))
})
