import { describe, expect, test } from 'vitest'
import { explainRefusal } from '../../src/reject/explanation.ts'
import { Refusal } from '../../src/reject/refusal.ts'
import { checkHeaders } from '../../src/verify/headers.ts'
import { expectRefusal, incoming, received, signed } from '../deliveries.ts'

const name = 'message.received'
const digits = signed(name).signature.slice('sha256='.length)
const header = (field: string, value: string | undefined) => ({ headers: { [field]: value } })

test('gives the 64 digits of the signature and the timestamp as sent', () => {
  const head = checkHeaders(incoming(name), 1)
  expect(head.signature).toBe(digits)
  expect(head.timestamp).toBe('1760000000')
})

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'post', 'POST ', ''])(
  'refuses the method %j: 405 method_not_allowed, with Allow',
  async (method) => {
    const error = await expectRefusal(received(name, { method }), 405, 'method_not_allowed')
    expect(error.headers).toEqual({ Allow: 'POST' })
    expect(error.detail).toMatch(/^The method is [\w?-]*, but deliveries/)
  },
)

test('names a long method in part', async () => {
  const { detail } = await expectRefusal(
    received(name, { method: 'X'.repeat(8000) }),
    405,
    'method_not_allowed',
  )
  expect(detail.length).toBeLessThan(300)
})

describe('the signature', () => {
  test.each([undefined, ''])('is missing where it is %j: 401 signature_missing', async (value) => {
    const changes = header('x-webhook-signature', value)
    const { detail } = await expectRefusal(received(name, changes), 401, 'signature_missing')
    expect(detail).toContain('no X-Webhook-Signature header')
  })

  test.each([
    ['in upper-case hex', `sha256=${digits.toUpperCase()}`, 'its digits are in upper case'],
    [
      'with one digit in upper case',
      `sha256=${digits.replace(/[a-f]/, (digit) => digit.toUpperCase())}`,
      'its digits are in upper case',
    ],
    ['sent twice', `sha256=${digits}, sha256=${digits}`, 'it has several values'],
    ['without a scheme', digits, 'it does not begin with "sha256="'],
    ['of another scheme', `sha512=${digits}`, 'it does not begin with "sha256="'],
    ['with the scheme in upper case', `SHA256=${digits}`, 'it does not begin with "sha256="'],
    ['behind a space', ` sha256=${digits}`, 'it does not begin with "sha256="'],
    ['in quotes', `"sha256=${digits}"`, 'it does not begin with "sha256="'],
    ['with a version', `v1=${digits}`, 'it does not begin with "sha256="'],
    ['with a space behind "="', `sha256= ${digits}`, 'it has 65 characters after the "="'],
    ['before a space', `sha256=${digits} `, 'it has 65 characters after the "="'],
    ['before a line break', `sha256=${digits}\n`, 'it has 65 characters after the "="'],
    ['of no digits', 'sha256=', 'it has 0 characters after the "="'],
    ['cut off to 128 bits', `sha256=${digits.slice(32)}`, 'it has 32 characters after the "="'],
    ['of 63 digits', `sha256=${digits.slice(1)}`, 'it has 63 characters after the "="'],
    ['of 65 digits', `sha256=${digits}0`, 'it has 65 characters after the "="'],
    ['of 66 digits', `sha256=${digits}00`, 'it has 66 characters after the "="'],
    [
      'with 0x before its digits',
      `sha256=0x${digits.slice(2)}`,
      'it has characters that are not lower-case hexadecimal digits',
    ],
    [
      'in base64',
      `sha256=${Buffer.from(digits, 'hex').toString('base64')}`,
      'it has 44 characters after the "="',
    ],
    [
      'with Arabic digits',
      `sha256=${digits.replace(/\d/, '٣')}`,
      'it has characters that are not lower-case hexadecimal digits',
    ],
    ['of 8,000 characters', `sha256=${'a'.repeat(7993)}`, 'it has 7993 characters after the "="'],
  ])('is refused %s: 401 signature_malformed', async (_, value, fault) => {
    const changes = header('x-webhook-signature', value)
    const { detail } = await expectRefusal(received(name, changes), 401, 'signature_malformed')
    expect(detail).toContain(fault)
    expect(detail).not.toContain(digits.slice(8, 24))
  })
})

test.each([undefined, ''])(
  'refuses a timestamp that is %j: 401 timestamp_missing',
  async (value) => {
    const changes = header('x-webhook-timestamp', value)
    const { detail } = await expectRefusal(received(name, changes), 401, 'timestamp_missing')
    expect(detail).toContain('no X-Webhook-Timestamp header')
  },
)

test.each([undefined, '', 'identity', 'Identity', 'IDENTITY'])(
  'accepts the Content-Encoding %j',
  async (value) => {
    const { delivery } = await received(name, header('content-encoding', value))
    expect(delivery.event).toBe(name)
  },
)

test.each(['gzip', 'br', 'deflate', 'zstd', 'GZIP', 'identity, gzip', 'identity, identity', '*'])(
  'refuses the Content-Encoding %j: 415 encoding_not_supported',
  async (value) => {
    const changes = header('content-encoding', value)
    const { detail } = await expectRefusal(received(name, changes), 415, 'encoding_not_supported')
    expect(detail).toContain(JSON.stringify(value))
  },
)

test.each([undefined, '', '0', '231', '1048576', '01048576'])(
  'reads the body where Content-Length is %j',
  async (value) => {
    const { delivery } = await received(name, header('content-length', value))
    expect(delivery.event).toBe(name)
  },
)

test.each(['1048577', '99999999999999999999', '1e999', 'Infinity'])(
  'refuses the Content-Length %j: 413 body_too_large, and reads nothing',
  async (value) => {
    let reads = 0
    const readBody = () => {
      reads++
      return signed(name).body
    }
    const changes = { ...header('content-length', value), readBody }
    const { detail } = await expectRefusal(received(name, changes), 413, 'body_too_large')
    expect(detail).toContain(`Content-Length of ${value} bytes, but the limit is 1048576`)
    expect(reads).toBe(0)
  },
)

test('counts Content-Length against the limit option', async () => {
  const length = signed(name).body.length
  const options = { limit: length }
  expect(
    (await received(name, header('content-length', `${length}`), options)).delivery.known,
  ).toBe(true)
  const over = received(name, header('content-length', `${length + 1}`), options)
  await expectRefusal(over, 413, 'body_too_large')
})

test('names the limit option where a body is too large', () => {
  const detail = explainRefusal(new Refusal('body_too_large', { limit: 10 }), [])
  expect(detail).toMatch(/limit is 10 bytes\..*`limit` option/)
})

test('quotes at most 40 characters of a value, with control characters escaped', () => {
  const quoting = (coding: string) =>
    explainRefusal(new Refusal('encoding_not_supported', { coding }), [])
  expect(quoting('a\nb')).toContain('"a\\nb".')
  expect(quoting('x'.repeat(40))).toContain(`"${'x'.repeat(40)}".`)
  expect(quoting('x'.repeat(41))).toContain(`"${'x'.repeat(40)}…".`)
})
