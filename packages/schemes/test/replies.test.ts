import { memoryStore, reply, webhookHandler } from '@webhook-receiver/core'
import { signedRequest } from '@webhook-receiver/core/testing'
import { expect, test, vi } from 'vitest'
import { discordInteractions, standardWebhooks } from '../src/index.ts'
import { validRequest } from './vectors.ts'

const SECRET = `whsec_${Buffer.from('0123456789abcdef').toString('base64')}`

/** Posts a delivery of Standard Webhooks to a handler, always with the same id. */
function posting(work: () => unknown, options: object = {}) {
  const scheme = standardWebhooks
  const handler = webhookHandler(SECRET, work, { scheme, onRejected: false, ...options })
  return async () =>
    handler(await signedRequest('test', {}, { secret: SECRET, scheme, id: 'msg_1' }))
}

test('a reply of 429 or 5xx releases the claim, and the retry runs; a duplicate gets the success of the service', async () => {
  const statuses = [429, 503, 201]
  const work = vi.fn(async () => reply({ status: statuses.shift() ?? 500 }))
  const post = posting(work, { store: memoryStore() })
  const seen = []
  for (let times = 0; times < 4; times++) seen.push((await post()).status)
  expect(seen).toEqual([429, 503, 201, 204])
  expect(work).toHaveBeenCalledTimes(3)
})

test.each([new Response('no', { status: 418 }), { status: 418 }])(
  'what else is returned is ignored: %s',
  async (returned) => {
    const response = await posting(() => returned)()
    expect([response.status, await response.text()]).toEqual([204, ''])
  },
)

test('where the service acts on the response, a store is a TypeError that says why', () => {
  const { secret } = validRequest(discordInteractions)
  const options = { scheme: discordInteractions, store: memoryStore() }
  expect(() => webhookHandler(secret, () => {}, options)).toThrow(
    /`store` should be left out: Discord acts on the response/,
  )
})
