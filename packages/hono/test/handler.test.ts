import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { describeHandler, listening } from '@webhook-receiver/conformance'
import { deliveryHandler, webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'

describeHandler(
  'hono',
  ({ secret, now, path, handlers, options }) => {
    const app = new Hono()
    app.post(
      path,
      webhookMiddleware(secret, { now, onRejected: false }),
      deliveryHandler(handlers, options),
    )
    return listening(createServer(getRequestListener(app.fetch)))
  },
  {
    startWithoutReceiver: ({ path, handlers, options }) => {
      const app = new Hono().post(path, deliveryHandler(handlers, options))
      return listening(createServer(getRequestListener(app.fetch)))
    },
  },
)
