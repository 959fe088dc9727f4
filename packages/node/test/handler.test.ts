import { createServer } from 'node:http'
import { describeHandler, listening, type StartHandler } from '@webhook-receiver/conformance'
import { signDelivery } from '@webhook-receiver/core/testing'
import { deliveryHandler, memoryStore, webhookListener } from '@webhook-receiver/node'
import { expect, onTestFinished, test } from 'vitest'

const start: StartHandler = ({ secret, now, path, handlers, options }) =>
  listening(
    createServer(
      webhookListener(secret, deliveryHandler(handlers, options), { path, now, onRejected: false }),
    ),
  )

describeHandler('node', start)

test('tells the sender nothing but code and message', async () => {
  const secret = 'whsec_handler'
  const store = { ...memoryStore(), claim: () => Promise.reject(new Error('ECONNREFUSED')) }
  const { port, close } = await start({
    secret,
    now: Date.now,
    path: '/webhooks',
    handlers: { any: () => {} },
    options: { store, onRejected: false },
  })
  onTestFinished(close)
  const { headers, body } = await signDelivery(secret, 'message.read')
  const url = `http://127.0.0.1:${port}/webhooks`
  const response = await fetch(url, { method: 'POST', headers, body })
  expect(response.status).toBe(503)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(Object.keys(await response.json())).toEqual(['code', 'message'])
})
