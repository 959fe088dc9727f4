import { createHash } from 'node:crypto'
import { webhookHandler } from '@webhook-receiver/core'
import { signDelivery } from '@webhook-receiver/core/testing'
import { expect, test, vi } from 'vitest'
import { square, twilio } from '../src/index.ts'
import { macOf, receive, requestOf } from './signed.ts'
import rows from './twilio-requests.json' with { type: 'json' }

const sign = (text: string, hash = 'sha1') =>
  macOf(Buffer.from(text).toString('latin1'), { hash, as: 'base64' })
const publicUrl = 'https://example.com'

interface Outcome {
  readonly status: number
  readonly data?: unknown
  readonly unsigned?: readonly string[]
  /** What the operator reads, and what not. */
  readonly detail?: string
  readonly never?: readonly string[]
}

// Of each request, `signed` is the text that Twilio has signed: what strangers make of it must not pass, and what it stands for must. In it
// and in the target, {digest} is the SHA-256 of the body.
test.each(rows)('$name', async ({ target, body, signed, outcome, ...row }) => {
  const { publicUrl, contentType = 'application/x-www-form-urlencoded' } = row
  const digest = createHash('sha256').update(body).digest('hex')
  const filled = (text: string) => text.replaceAll('{digest}', digest)
  const headers = {
    'content-type': contentType,
    'x-twilio-signature': sign(filled(signed)),
  }
  const [work, onRejected] = [vi.fn(), vi.fn()]
  const options = { scheme: twilio, publicUrl, onRejected }
  const request = requestOf({ url: `http://10.0.0.1${filled(target)}`, headers, body })
  const { status } = await webhookHandler('secret', work, options)(request)
  const [delivery, context] = work.mock.calls[0] ?? []
  const expected: Outcome = outcome
  expect(status).toBe(expected.status)
  if (expected.data) expect(delivery.data).toEqual(expected.data)
  if (expected.unsigned) expect(context.verification.unsigned).toEqual(expected.unsigned)
  const [{ reason = undefined, detail = '' } = {}] = onRejected.mock.calls[0] ?? []
  if (status === 401) expect(reason).toBe('signature_mismatch')
  expect(detail).toContain(expected.detail ?? '')
  for (const words of expected.never ?? []) expect(detail).not.toContain(words)
})

const FIELDS = Array.from({ length: 1001 }, (_, at) => `f${at}=1`).join('&')

test.each([FIELDS, 'a=100%', 'a=%FF', '{"a":1}'])(
  'a body that Twilio cannot have signed is the cause, and not the secret: %#',
  async (body) => {
    const says = /^The body is nothing that Twilio signs/
    const headers = { 'X-Twilio-Signature': sign(`${publicUrl}/`) }
    const detail = expect.stringMatching(says)
    await expect(receive(twilio, { headers, body }, { publicUrl })).rejects.toMatchObject({
      detail,
    })
    const signing = signDelivery('secret', new TextEncoder().encode(body), { scheme: twilio })
    await expect(signing).rejects.toThrow(says)
  },
)

test.each(['/a/%2e%2E/hook/', '/./hook/', '\\hook/', '/hook/a/..'])(
  '%s is no spelling of another path',
  async (path) => {
    const headers = { 'X-Twilio-Signature': sign(`${publicUrl}/hook/a1`) }
    const options = { publicUrl: () => publicUrl + path }
    const receiving = receive(twilio, { headers, body: 'a=1' }, options)
    await expect(receiving).rejects.toMatchObject({ status: 401 })
  },
)

test("Square's URL is bound with an origin, and its path not with the registered URL", async () => {
  const url = `${publicUrl}/square`
  const body = '{"event_id":"e1","type":"payment.updated"}'
  const headers = { 'x-square-hmacsha256-signature': sign(url + body, 'sha256') }
  const unsigned = async (publicUrl: string) =>
    (await receive(square, { url, headers, body }, { publicUrl })).verification.unsigned
  expect(await unsigned(publicUrl)).toEqual([])
  expect(await unsigned(url)).toEqual(['path'])
})
