import { expect, test } from 'vitest'
import { methodOf } from '../src/engine/method.ts'
import { methods } from '../src/engine/methods.ts'
import { signatureReader } from '../src/engine/signatures.ts'
import {
  type DefinedScheme,
  discordEvents,
  github,
  sendgrid,
  shopify,
  stripe,
  svix,
  twilio,
  workos,
} from '../src/index.ts'
import { validRequest, verdict } from './vectors.ts'

/** The verdict on a valid request whose signature header is changed. */
function withHeader(scheme: DefinedScheme, change: (value: string) => string): Promise<string> {
  const request = validRequest(scheme)
  const header = `${scheme.value.signature.header}`.replace(/,.*/, '')
  const headers = { ...request.headers, [header]: change(request.headers[header] ?? '') }
  return verdict(scheme, { ...request, headers })
}

test('ten signatures are tried, and eleven are rejected', async () => {
  const other = `v1=${'0'.repeat(64)},`
  const before = (count: number) => (value: string) =>
    value.replace('v1=', `${other.repeat(count)}v1=`)
  expect(await withHeader(stripe, before(9))).toBe('valid')
  expect(await withHeader(stripe, before(10))).toBe('signature_malformed')
})

test('a signature of another version is ignored', async () => {
  expect(await withHeader(svix, (value) => `v2,AAAA ${value}`)).toBe('valid')
  expect(await withHeader(svix, (value) => value.replace('v1,', 'v2,'))).toBe('signature_malformed')
  expect(await withHeader(stripe, (value) => `${value},v0=${'a'.repeat(64)},v0=b`)).toBe('valid')
})

const TIME_AND_V1 = 'It should be "t=" and a time, "v1=" and a signature in hex.'

test.each<[DefinedScheme, string, string]>([
  [stripe, 'v1=aa', `has no "t=". ${TIME_AND_V1}`],
  [stripe, 't=1795392001,t=1795392000,v1=aa', `has "t=" 2 times. ${TIME_AND_V1}`],
  // Only one signature can be in a header twice; others have several, or a time, in one header.
  [shopify, 'AA, AA', 'has several values: let no proxy add it again. It should be '],
  [workos, 't=1795392000000, v2=aa', 'has another form. It should be '],
  [github, `sha256=${'AB'.repeat(32)}`, 'is not in lowercase. It should be "sha256=" and a'],
  [stripe, `t=1795392000,v1=${'aB'.repeat(32)}`, 'is not in lowercase. It should be "v1="'],
  [twilio, `${'A'.repeat(31)}=`, 'is too long. It should be a signature in base64'],
  [discordEvents, 'a'.repeat(130), 'is too long. It should be a signature in hex'],
  [discordEvents, 'a'.repeat(126), 'has another form.'],
])('what is wrong with a header is said: $0.name, $2', ({ value }, text, fault) => {
  const read = signatureReader(
    value,
    value.keys.map((key) => methodOf(key, value.signature.encoding, methods)),
  )
  expect(() => read(text)).toThrow(
    expect.objectContaining({ detail: expect.stringContaining(` ${fault}`) }),
  )
})

/** The next character of the alphabet: it stands for the same bytes, as its last bits are superfluous. */
const next = (character: string) => String.fromCharCode(character.charCodeAt(0) + 1)

test('a signature in base64 with superfluous bits is malformed', async () => {
  expect(await withHeader(shopify, (value) => value)).toBe('valid')
  const change = (value: string) => value.replace(/.(?==)/, next)
  expect(await withHeader(shopify, change)).toBe('signature_malformed')
})

type Bytes = readonly number[]

test.each<[string, (der: Bytes) => Bytes]>([
  ['a byte behind it', (der) => [...der, 0]],
  ['a length in the long form', ([, ...rest]) => [0x30, 0x81, ...rest]],
  ['a number with a zero in front', (der) => number(der, (first) => [0, ...first])],
  ['a negative number', (der) => number(der, ([, ...rest]) => [0x80, ...rest])],
  ['a number of 40 bytes', (der) => number(der, (first) => [1, 1, 1, 1, 1, 1, 1, 1, ...first])],
  ['another tag', ([, ...rest]) => [0x31, ...rest]],
  ['nothing in it', () => [0x30, 0]],
])('an ECDSA signature with %s is not accepted', async (_what, change) => {
  const text = (value: string) =>
    Buffer.from(change([...Buffer.from(value, 'base64')])).toString('base64')
  expect(await withHeader(sendgrid, text)).toBe('mismatch')
})

/** The first of the two numbers of a signature, changed, with lengths that fit. */
function number([, , , length = 0, ...numbers]: Bytes, change: (first: Bytes) => Bytes): Bytes {
  const first = change(numbers.slice(0, length))
  const content = [2, first.length, ...first, ...numbers.slice(length)]
  return [0x30, content.length, ...content]
}
