import crypto, { generateKeyPairSync } from 'node:crypto'
import { createReceiver, type Scheme } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import { standardWebhooks, stripe, twilio } from '../src/index.ts'

const MEBIBYTE = 1_048_576
const now = () => 1_795_392_000_000

/** The reason why a request of a megabyte without a valid signature is rejected. */
async function rejected(scheme: Scheme, secret: string, headers: object, text: string) {
  const receiver = createReceiver(secret, {
    ...{ scheme, now, limit: 2 * MEBIBYTE, publicUrl: 'https://example.com', onRejected: false },
  })
  const body = text.repeat(Math.ceil(MEBIBYTE / text.length))
  const init = { method: 'POST', headers: { ...headers }, body }
  const request = new Request('http://10.0.0.1/hook', init)
  const error = await receiver.receiveRequest(request).catch((thrown: unknown) => thrown)
  return Object(error).reason
}

const SIGNED = { 'x-twilio-signature': Buffer.alloc(20, 7).toString('base64') }

test.each(['+', '&', 'é', 'a=b&'])(
  'a form of %s is read as text once before it is verified, and nothing of it is split or replaced',
  async (text) => {
    const split = vi.spyOn(String.prototype, 'split')
    const replaced = vi.spyOn(String.prototype, 'replaceAll')
    const decoded = vi.spyOn(TextDecoder.prototype, 'decode')
    expect(await rejected(twilio, 'secret', SIGNED, `a=${text}`)).toBe('signature_mismatch')
    const parts = split.mock.results.map(({ value }) => Object(value).length)
    const texts = replaced.mock.results.map(({ value }) => `${value}`.length)
    const large = decoded.mock.calls.filter(([given]) => Object(given).byteLength > 1000)
    expect(Math.max(0, ...parts, ...texts)).toBeLessThan(1000)
    expect(large).toHaveLength(1)
  },
)

test('one MAC serves ten signatures', async () => {
  // The first key tests the MAC of the runtime.
  createReceiver('whsec_1', { scheme: stripe })
  const made = vi.spyOn(crypto, 'createHmac')
  const headers = { 'stripe-signature': `t=1795392000${`,v1=${'0'.repeat(64)}`.repeat(10)}` }
  expect(await rejected(stripe, 'whsec_1', headers, 'a')).toBe('signature_mismatch')
  expect(made).toHaveBeenCalledTimes(1)
})

test.each([
  [2, 'signature_mismatch'],
  [3, 'signature_malformed'],
])('%i signatures by a public key are %s', async (count, reason) => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
  const signature = `v1a,${Buffer.alloc(64, 7).toString('base64')}`
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1795392000',
    'webhook-signature': Array(count).fill(signature).join(' '),
  }
  expect(await rejected(standardWebhooks, `whpk_${key}`, headers, 'a')).toBe(reason)
})

test('a header of thousands of values is compared with no prefix', async () => {
  const compared = vi.spyOn(String.prototype, 'startsWith')
  const headers = { 'stripe-signature': `t=1795392000${',v1'.repeat(5000)}` }
  expect(await rejected(stripe, 'whsec_1', headers, 'a')).toBe('signature_malformed')
  expect(compared.mock.calls.length).toBeLessThan(1000)
})
