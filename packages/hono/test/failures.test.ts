import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { describeFailures, type FailingSetup, listening } from '@webhook-receiver/conformance'
import { signedRequest } from '@webhook-receiver/core/testing'
import { deliveryHandler, memoryStore, webhookMiddleware } from '@webhook-receiver/hono'
import { type Handler, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { expect, test } from 'vitest'

const exceptions = [401, 503].map((status) => ({
  name: `an HTTPException with the status ${status}`,
  make: (mark: string) =>
    new HTTPException(status as 401, { message: mark, res: new Response(mark, { status }) }),
}))

const plain =
  ({ handler }: FailingSetup): Handler =>
  (c) =>
    handler(c.var.delivery) as never

const original = { values: exceptions, handed: 'original' } as const

describeFailures(
  'hono, on a route',
  (setup) =>
    serve(setup, new Hono().post(setup.path, webhookMiddleware(setup.secret), plain(setup))),
  original,
)

describeFailures(
  'hono, in front of other middleware',
  (setup) => {
    const app = new Hono()
    app.use(webhookMiddleware(setup.secret))
    app.use((_c, next) => next()).post(setup.path, plain(setup))
    return serve(setup, app)
  },
  original,
)

const stores = { 'without a store': {}, 'with a store': { store: memoryStore() } }
for (const [name, options] of Object.entries(stores)) {
  describeFailures(
    `hono, deliveryHandler ${name}`,
    (setup) => {
      const { secret, path, handler } = setup
      const handle = deliveryHandler({ any: handler }, options)
      const app = new Hono()
      app.post(path, webhookMiddleware(secret), handle)
      return serve(setup, app)
    },
    { values: exceptions },
  )
}

function serve({ onError }: FailingSetup, app: Hono) {
  if (onError) app.onError((error, c) => c.body(null, onError(error) as 200))
  return listening(createServer(getRequestListener(app.fetch)))
}

test('an error handler that would acknowledge a failed delivery does not', async () => {
  const app = new Hono()
  app.post('/webhooks', webhookMiddleware('whsec_failing'), () => {
    throw new Error('broken off')
  })
  app.onError((_error, c) => c.json({ fine: true }, 200, { 'Set-Cookie': 'a=b' }))
  const answer = await app.request(await signedRequest('whsec_failing', 'message.read'))
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([500, null])
  expect(await answer.json()).toEqual({ code: 'receiver_error', message: 'receiver error' })
})
