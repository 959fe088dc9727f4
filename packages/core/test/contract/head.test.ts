import { describe, expect, test } from 'vitest'
import { readHead } from '../../src/contract/head.ts'
import { expectRejection, incoming, received, signed } from '../deliveries.ts'

const name = 'message.received'
const digits = signed(name).signature.slice('sha256='.length)
const header = (field: string, value: string | undefined) => ({ headers: { [field]: value } })

test('gives the 64 digits of the signature and the timestamp as sent', () => {
  const head = readHead(incoming(name))
  expect(head.signature).toBe(digits)
  expect(head.timestamp).toBe('1760000000')
})

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'post', 'POST ', ''])(
  'rejects the method %j: 405 method_not_allowed, with Allow',
  async (method) => {
    const error = await expectRejection(received(name, { method }), 405, 'method_not_allowed')
    expect(error.headers).toEqual({ Allow: 'POST' })
    expect(error.detail).toMatch(/^The method is [\w?-]*, but deliveries/)
  },
)

test('names a long method in part', async () => {
  const { detail } = await expectRejection(
    received(name, { method: 'X'.repeat(8000) }),
    405,
    'method_not_allowed',
  )
  expect(detail.length).toBeLessThan(300)
})

describe('the signature', () => {
  test.each([undefined, ''])('is missing where it is %j: 401 signature_missing', async (value) => {
    const changes = header('x-webhook-signature', value)
    const { detail } = await expectRejection(received(name, changes), 401, 'signature_missing')
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
    ['with a space behind "="', `sha256= ${digits}`, 'it has 65 characters after the "="'],
    ['before a space', `sha256=${digits} `, 'it has 65 characters after the "="'],
    ['before a line break', `sha256=${digits}\n`, 'it has 65 characters after the "="'],
    ['of no digits', 'sha256=', 'it has 0 characters after the "="'],
    ['cut off to 128 bits', `sha256=${digits.slice(32)}`, 'it has 32 characters after the "="'],
    ['of 63 digits', `sha256=${digits.slice(1)}`, 'it has 63 characters after the "="'],
    ['of 65 digits', `sha256=${digits}0`, 'it has 65 characters after the "="'],
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
  ])('is rejected %s: 401 signature_malformed', async (_, value, fault) => {
    const changes = header('x-webhook-signature', value)
    const { detail } = await expectRejection(received(name, changes), 401, 'signature_malformed')
    expect(detail).toContain(fault)
    expect(detail).not.toContain(digits.slice(8, 24))
  })
})

test.each([undefined, ''])(
  'rejects a timestamp that is %j: 401 timestamp_missing',
  async (value) => {
    const changes = header('x-webhook-timestamp', value)
    const { detail } = await expectRejection(received(name, changes), 401, 'timestamp_missing')
    expect(detail).toContain('no X-Webhook-Timestamp header')
  },
)
