import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { signDelivery } from '@webhook-receiver/core/testing'
import { webhookHandler } from '@webhook-receiver/koa'
import { describeHandler, describeRejections } from '@webhook-receiver/suites'
import Koa from 'koa'
import { expect, onTestFinished, test } from 'vitest'

describeHandler('koa', ({ secret, now, path, handlers, options }) => {
  const receiver = webhookHandler(secret, handlers, { path, now, onRejected: false, ...options })
  return listening(createServer(new Koa().use(receiver).callback()))
})

describeRejections('koa, webhookHandler', ({ secret, path, headers, options }) => {
  const app = new Koa().use((ctx, next) => {
    ctx.set(headers)
    return next()
  })
  app.use(webhookHandler(secret, { any: () => {} }, { path, ...options }))
  return listening(createServer(app.callback()))
})

test('needs no options', async () => {
  const app = new Koa().use(webhookHandler('whsec_koa', () => {}))
  const { port, close } = await listening(createServer(app.callback()))
  onTestFinished(close)
  const { headers, body } = await signDelivery('whsec_koa', 'message.received')
  const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })
  expect(response.status).toBe(204)
})

test('headers that were set before stay, but for those of another body', async () => {
  const secret = 'whsec_koa'
  const others = {
    'content-length': '1234',
    'content-encoding': 'gzip',
    'content-range': 'bytes 0-1/2',
  }
  const app = new Koa().use((ctx, next) => {
    ctx.set({ ...others, 'x-request-id': '1' })
    return next()
  })
  app.use(webhookHandler(secret, () => {}, { onRejected: false }))
  const { port, close } = await listening(createServer(app.callback()))
  onTestFinished(close)
  const { headers, body } = await signDelivery(secret, 'message.received')
  for (const [sent, status] of [
    [headers, 204],
    [{}, 401],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: sent,
      body,
    })
    const text = await response.text()
    expect([response.status, response.headers.get('x-request-id')]).toEqual([status, '1'])
    const seen = Object.keys(others).map((name) => response.headers.get(name))
    expect(seen).toEqual([status === 204 ? null : `${text.length}`, null, null])
  }
})
