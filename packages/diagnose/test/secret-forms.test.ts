import { expect, test } from 'vitest'
import { diagnose } from '../src/index.ts'
import { produced, SECRET } from './produced.ts'

const bare = SECRET.slice('whsec_'.length)

const differences: readonly (readonly [
  code: string,
  what: string,
  secret: string,
  key: string | Uint8Array,
])[] = [
  ['secret_white_space', 'a space in front at the sender', SECRET, ` ${SECRET}`],
  ['secret_white_space', 'LF here, CRLF at the sender', `${SECRET}\n`, `${SECRET}\r\n`],
  ['secret_white_space', 'around words here', ' two words\n', 'two words'],
  ['secret_white_space', 'a line break in the middle here', 'whsec_ab\ncd', 'whsec_abcd'],
  ['secret_quoted', 'quotes and a line break here', `"${SECRET}"\n`, SECRET],
  ['secret_prefix_doubled', 'twice at the sender, none here', bare, `whsec_${SECRET}`],
  ['secret_prefix_doubled', 'twice, before one that ends it', 'a_whsec_', 'whsec_whsec_a_whsec_'],
  ['secret_decoded', 'base64url', 'whsec_--___g', Uint8Array.of(0xfb, 0xef, 0xff, 0xfe)],
  ['secret_decoded', 'base64', 'whsec_++///g==', Uint8Array.of(0xfb, 0xef, 0xff, 0xfe)],
  ['secret_decoded', 'base64 that lost half its padding', 'whsec_YQ=', 'a'],
]

test.each(differences)('names %s: %s', async (code, _, secrets, key) => {
  const [first, ...others] = await diagnose(produced({ key, input: { secrets } }))
  expect(first).toMatchObject({ code, certainty: 'certain' })
  expect(first).not.toHaveProperty('also')
  expect(others).toEqual([])
})

test.each([
  ['a prefix in the middle', 'my_whsec_secret', 'my_secret'],
  ['quotes at its end alone', 'a"b"', 'ab'],
  ['hexadecimal at its end alone', 'whsec_zzab', Uint8Array.of(0, 0xab)],
  ['an odd number of digits', 'whsec_abc', Uint8Array.of(0xab)],
  ['base64 behind white space', ' YWJjZGVm', 'abcdef'],
])('takes no part of a secret for the key: %s', async (_, secrets, key) => {
  const found = await diagnose(produced({ key, input: { secrets } }))
  expect(found).toMatchObject([{ code: 'unknown' }])
})
