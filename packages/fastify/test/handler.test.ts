import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { signDelivery } from '@webhook-receiver/core/testing'
import { webhookHandler } from '@webhook-receiver/fastify'
import { describeHandler, describeRejections } from '@webhook-receiver/suites'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'

describeHandler('fastify', async ({ secret, now, path, handlers, options }) => {
  const app = Fastify()
  app.register(webhookHandler(secret, handlers, { url: path, now, onRejected: false, ...options }))
  await app.ready()
  return listening(createServer(app.routing))
})

describeRejections(
  'fastify, webhookHandler',
  async ({ secret, path, headers, options }) => {
    const app = Fastify()
    app.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
    app.register(webhookHandler(secret, { any: () => {} }, { url: path, ...options }))
    await app.ready()
    return listening(createServer(app.routing))
  },
  // The route is for POST only.
  { methods: false },
)

test('headers that were set before stay, but for those of another body', async () => {
  const secret = 'whsec_fastify'
  const app = Fastify()
  const others = {
    'content-length': 1234,
    'content-encoding': 'gzip',
    'content-range': 'bytes 0-1/2',
  }
  app.addHook(
    'onRequest',
    async (_, reply) => void reply.headers({ ...others, 'x-request-id': '1' }),
  )
  app.register(webhookHandler(secret, () => {}, { url: '/', onRejected: false }))
  const url = await app.listen()
  onTestFinished(() => app.close())
  const { headers, body } = await signDelivery(secret, 'message.received')
  for (const [sent, status] of [
    [headers, 204],
    [{}, 401],
  ] as const) {
    const response = await fetch(url, { method: 'POST', headers: sent, body })
    const text = await response.text()
    expect([response.status, response.headers.get('x-request-id')]).toEqual([status, '1'])
    const seen = Object.keys(others).map((name) => response.headers.get(name))
    expect(seen).toEqual([status === 204 ? null : `${text.length}`, null, null])
  }
})

test('the delivery goes to the handler, and does not stay on the request', async () => {
  const secret = 'whsec_fastify'
  const events: string[] = []
  const left: unknown[] = []
  const app = Fastify()
  app.addHook('onResponse', async ({ delivery, verification, body }) => {
    left.push(delivery, verification, body)
  })
  app.register(webhookHandler(secret, ({ event }) => events.push(event), { url: '/' }))
  onTestFinished(() => app.close())
  const { headers, body } = await signDelivery(secret, 'message.received')
  const response = await app.inject({
    method: 'POST',
    url: '/',
    headers,
    payload: Buffer.from(body),
  })
  expect(response.statusCode).toBe(204)
  expect(events).toEqual(['message.received'])
  expect(left).toEqual([undefined, undefined, undefined])
})
