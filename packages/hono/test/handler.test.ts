import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { listening } from '@webhook-receiver/conformance'
import { signDelivery } from '@webhook-receiver/core/testing'
import { webhookHandler } from '@webhook-receiver/hono'
import { describeHandler, describeRejections } from '@webhook-receiver/suites'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { expect, onTestFinished, test } from 'vitest'

const exceptions = ([401, 503] as const).map((status) => ({
  name: `an HTTPException with the status ${status}`,
  make: (mark: string) => new HTTPException(status, { res: new Response(mark, { status }) }),
}))

describeHandler(
  'hono',
  ({ secret, now, path, handlers, options }) => {
    const app = new Hono()
    app.post(path, webhookHandler(secret, handlers, { now, onRejected: false, ...options }))
    return listening(createServer(getRequestListener(app.fetch)))
  },
  { values: exceptions },
)

describeRejections('hono, webhookHandler', ({ secret, path, headers, options }) => {
  const app = new Hono().use((c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return next()
  })
  app.all(path, webhookHandler(secret, { any: () => {} }, options))
  return listening(createServer(getRequestListener(app.fetch)))
})

test.each(['text', 'raw'] as const)(
  'a handler reads the verified body by c.req.%s',
  async (how) => {
    const secret = 'whsec_hono'
    const bodies: string[] = []
    const receiver = webhookHandler(secret, {
      async any(_delivery, { request: { req } }) {
        bodies.push(await (how === 'text' ? req.text() : req.raw.text()))
      },
    })
    const app = new Hono().post('/webhooks', receiver)
    const { port, close } = await listening(createServer(getRequestListener(app.fetch)))
    onTestFinished(close)
    const { headers, body } = await signDelivery(secret, 'message.received')
    const url = `http://127.0.0.1:${port}/webhooks`
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204)
    // Off Node, there is only the Request.
    expect((await app.fetch(new Request(url, { method: 'POST', headers, body }))).status).toBe(204)
    const text = Buffer.from(body).toString()
    expect(bodies).toEqual([text, text])
  },
)
