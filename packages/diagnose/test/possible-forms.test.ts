import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { diagnose } from '../src/index.ts'
import { BODY, type Produced, produced } from './produced.ts'

const codes = async (fault: Produced) => {
  const found = await diagnose(produced({ signed: ['something else'], ...fault }))
  return found.map(({ code }) => code)
}
const length = Buffer.byteLength(BODY)

test('a body of another length than Content-Length says was possibly changed', async () => {
  for (const other of [length + 1, length - 1, 0]) {
    expect(await codes({ headers: { 'Content-Length': `${other}` } })).toEqual([
      'body_length_changed',
    ])
  }
})

test.each([
  ['0', ['body_empty']],
  [`${length}`, ['body_empty', 'body_length_changed']],
])(
  'an empty body with Content-Length: %s was possibly read by somebody else',
  async (sent, expected) => {
    expect(await codes({ headers: { 'Content-Length': sent }, body: '' })).toEqual(expected)
  },
)

test.each([`${length}`, `${length}, ${length}`, '1e3', '-1', ''])(
  'Content-Length: %s speaks for no change of the body',
  async (value) => {
    expect(await codes({ headers: { 'Content-Length': value } })).toEqual(['unknown'])
  },
)

test.each([
  ['gzip', 'text', BODY, 'body_inflated'],
  ['gzip', 'empty', '', 'body_empty'],
  ['br', 'still compressed', brotliCompressSync(BODY), 'unknown'],
  ['identity', 'text', BODY, 'unknown'],
])('Content-Encoding: %s and a body that is %s', async (value, _, body, code) => {
  expect(await codes({ headers: { 'Content-Encoding': value }, body })).toEqual([code])
})
