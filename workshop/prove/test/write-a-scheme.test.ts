import { createHmac } from 'node:crypto'
import { type Scheme, webhookHandler } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import { importBlock } from './documents.ts'

const TIME = 1_795_000_000
const { acme } = await importBlock<{ acme: Scheme }>('docs/guides/schemes.md', 'acme.ts')

const handled = vi.fn()
const receive = webhookHandler('s3cret of acme', (delivery) => handled(delivery), {
  scheme: acme,
  now: () => TIME * 1000,
  onRejected: ({ reason }) => void handled(reason),
})

/** What the service would send, with other headers for a fault. */
function deliver(body: string, headers: Readonly<Record<string, string>> = {}, time = `${TIME}`) {
  const key = createHmac('sha256', 's3cret of acme').update(time).digest()
  const signature = createHmac('sha256', key).update(body).digest('hex')
  const signed = { 'Acme-Time': time, 'Acme-Signature': signature, ...headers }
  handled.mockClear()
  return receive(new Request('http://localhost/', { method: 'POST', headers: signed, body }))
}

test('the scheme of the guide gets a delivery that was signed by node:crypto', async () => {
  expect((await deliver('{"id":"1","type":"paid","__proto__":{"a":1}}')).status).toBe(204)
  const [[delivery]] = handled.mock.calls as [[{ data: object }]]
  expect(delivery).toEqual({
    scheme: 'acme',
    id: '1',
    event: 'paid',
    data: { id: '1', type: 'paid' },
  })
  expect(Object.hasOwn(delivery.data, '__proto__')).toBe(false)
})

const zeros = '0'.repeat(64)

test('the event of the guide is empty where the body names none', async () => {
  expect((await deliver('{"id":"1","type":{"toString":1}}')).status).toBe(204)
  expect(handled.mock.calls).toMatchObject([[{ event: '' }]])
})

test.each([
  ['signature_missing', 401, '{"id":"1"}', { 'Acme-Signature': '' }],
  ['signature_malformed', 401, '{"id":"1"}', { 'Acme-Signature': `${zeros}0` }],
  ['signature_mismatch', 401, '{"id":"1"}', { 'Acme-Signature': zeros }],
  ['signature_mismatch', 401, '{"id":"1"}', { 'Acme-Time': `${TIME + 1}` }],
  ['timestamp_missing', 401, '{"id":"1"}', { 'Acme-Time': '' }],
  ['timestamp_unreadable', 401, '{"id":"1"}', {}, 'today'],
  ['timestamp_too_old', 401, '{"id":"1"}', {}, `${TIME - 301}`],
  ['envelope_invalid', 400, '{"id":""}', {}],
  ['envelope_invalid', 400, 'null', {}],
] as const)(
  'the scheme of the guide rejects with %s and %i, and no handler runs',
  async (reason, status, body, headers, time?: string) => {
    expect((await deliver(body, headers, time)).status).toBe(status)
    expect(handled.mock.calls).toEqual([[reason]])
  },
)
