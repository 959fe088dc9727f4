import { expect, test } from 'vitest'
import { expectRejection, received, signed } from '../deliveries.ts'

// What the wire can bring is in ../vectors.test.ts.
const name = 'message.received'
const digits = signed(name).signature.slice('sha256='.length)

test('rejects the method post: 405 method_not_allowed', async () => {
  await expectRejection(received(name, { method: 'post' }), 405, 'method_not_allowed')
})

test.each([
  [`sha256=${digits.toUpperCase()}`, 'has digits in upper case'],
  [`sha256=${digits}, sha256=${digits}`, 'has several values'],
  [`sha256=${digits},sha256=${digits}`, 'has several values'],
  [`SHA256=${digits}`, 'does not begin with "sha256="'],
  [`sha256=${digits}\n`, 'has 65 characters after the "="'],
  [`sha256=0x${digits.slice(2)}`, 'has other characters than hexadecimal digits'],
])('tells what is wrong with the signature %j, and does not repeat it', async (value, fault) => {
  const attempt = received(name, { headers: { 'x-webhook-signature': value } })
  const { detail } = await expectRejection(attempt, 401, 'signature_malformed')
  expect(detail).toContain(fault)
  expect(detail).not.toContain(digits.slice(8, 24))
})
