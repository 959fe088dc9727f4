import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { diagnose } from '../src/index.ts'
import { BODY, type Produced, produced } from './produced.ts'

const length = Buffer.byteLength(BODY)
const empty = { body: '' }

/** What the headers say of a body that nobody has signed as it came. */
test.each<[header: string, value: string, codes: string[], more?: Produced]>([
  ['Content-Length', `${length + 1}`, ['body_length_changed']],
  ['Content-Length', `${length - 1}`, ['body_length_changed']],
  ['Content-Length', '0', ['body_length_changed']],
  ['Content-Length', '0', ['body_empty'], empty],
  ['Content-Length', `${length}`, ['body_empty', 'body_length_changed'], empty],
  // No other length than that of the body.
  ...[`${length}`, `${length}, ${length}`, '1e3', '-1', ''].map(
    (value): [string, string, string[]] => ['Content-Length', value, ['unknown']],
  ),
  ['Content-Encoding', 'gzip', ['body_inflated']],
  ['Content-Encoding', 'gzip', ['body_empty'], empty],
  // It is still compressed.
  ['Content-Encoding', 'br', ['unknown'], { body: brotliCompressSync(BODY) }],
  ['Content-Encoding', 'identity', ['unknown']],
])('%s: %s speaks for %j', async (header, value, codes, more) => {
  const fault = { signed: ['something else'], headers: { [header]: value }, ...more }
  const found = await diagnose(produced(fault))
  expect(found.map(({ code }) => code)).toEqual(codes)
})
