import { expect, test } from 'vitest'
import { CaptureError, readCapture, writeCapture } from '../src/index.ts'

const capture = {
  receivedAt: 1_769_860_800_005,
  method: 'POST',
  target: '/webhooks',
  httpVersion: '1.1',
  headers: [['X-Webhook-Id', 'a']],
  body: Buffer.from('{"é":1}\r\n'),
} as const

test.each([capture.body, Buffer.of(0xff, 0), Buffer.of()])('comes back as it was', (body) => {
  expect(readCapture(writeCapture({ ...capture, body }, { more: 1 }))).toEqual({
    ...capture,
    body: Buffer.from(body),
  })
})

test.each([
  ['nothing', 'it has no "format"'],
  ['[]', 'it has no "format"'],
  [{ version: 2 }, 'but the file has 2'],
  [{ version: undefined }, 'but the file has none'],
  [{ version: [] }, 'but the file has an array'],
  [{ version: {} }, 'but the file has an object'],
  [{ version: null }, 'but the file has null'],
  [{ version: 'x'.repeat(99) }, `but the file has "${'x'.repeat(38)}…`],
  [{ received_at: 'today' }, '"received_at" is not a time'],
  [{ received_at: 1 }, '"received_at" is not a time'],
  [{ method: 'P OST' }, '"method" is not'],
  [{ target: 'webhooks' }, '"target" is not'],
  [{ http_version: 1 }, '"http_version" is not'],
  [{ headers: {} }, '"headers" is not'],
  [{ headers: [['a']] }, '"headers" is not'],
  [{ headers: [['a', 'b\n']] }, '"headers" is not'],
  [{ headers: [['a', '\u0100']] }, 'the header a has a character'],
  [{ body: 'text' }, '"body" has neither'],
  [{ body: {} }, '"body" has neither'],
  [{ body: { base64: '?' } }, '"body" has neither'],
])('%o is no capture', (change, message) => {
  const text =
    typeof change === 'string'
      ? change
      : JSON.stringify({ ...JSON.parse(writeCapture(capture)), ...change })
  expect(() => readCapture(text)).toThrow(CaptureError)
  expect(() => readCapture(text)).toThrow(message)
})
