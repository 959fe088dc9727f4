import { describe, expect, test } from 'vitest'
import { diagnose } from '../src/index.ts'
import { MAX_JSON } from '../src/text/json-text.ts'
import { BODY, type Produced, produced, SECRET, TIMESTAMP } from './produced.ts'

const bare = SECRET.slice('whsec_'.length)

async function codesOf(fault: Produced) {
  return (await diagnose(produced(fault))).map(({ code }) => code)
}

describe('no cause is named', () => {
  test.each<[string, Produced]>([
    ['a character cut to a byte', { body: '"\u014D"', signedBody: '"M"' }],
    ['a text with quotes that is not JSON', { body: 'say "\\x"', signedBody: 'say' }],
    ['a MAC over nothing, whatever text came', { body: 'text', signed: [''] }],
    ['a MAC over nothing, whatever JSON came', { body: '{"a":1}', signed: [''] }],
    ['a MAC over nothing, whatever bytes came', { body: Uint8Array.of(0xff), signed: [''] }],
    // Two causes are assumed only where both are common.
    ['another key, and a message that is rare', { key: bare, signed: [`${TIMESTAMP}:`, BODY] }],
    [
      'another body, and a message that is rare',
      { signed: [`${TIMESTAMP}:`, BODY], body: `${BODY}\n` },
    ],
  ])('for %s', async (_, fault) => {
    expect(await codesOf(fault)).toEqual(['unknown'])
  })

  test.each([
    ['a prefix in the middle', 'my_whsec_secret', 'my_secret'],
    ['quotes at its end alone', 'a"b"', 'ab'],
    ['hexadecimal at its end alone', 'whsec_zzab', Uint8Array.of(0, 0xab)],
    ['an odd number of digits', 'whsec_abc', Uint8Array.of(0xab)],
    ['base64 behind white space', ' YWJjZGVm', 'abcdef'],
  ])('for a part of the secret as the key: %s', async (_, secrets, key) => {
    expect(await codesOf({ key, input: { secrets } })).toEqual(['unknown'])
  })

  test.each(['', 'Bearer '])('for the empty key %j, where others are empty', async (key) => {
    const input = { apiKey: '', otherSecrets: { none: '' } }
    expect(await codesOf({ key, input })).toEqual(['unknown'])
  })
})

test('JSON is written in every form up to the bound, and not above it', async () => {
  const codeOf = async (length: number) => {
    const items = ['x'.repeat(length - '[""]'.length)]
    const signedBody = JSON.stringify(items, null, 4)
    return (await codesOf({ body: JSON.stringify(items), signedBody }))[0]
  }
  expect(await codeOf(MAX_JSON)).toBe('body_reserialized')
  expect(await codeOf(MAX_JSON + 1)).toBe('unfinished')
})
