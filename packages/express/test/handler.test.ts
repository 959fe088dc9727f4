import { createServer } from 'node:http'
import { describeHandler, listening } from '@webhook-receiver/conformance'
import { deliveryHandler, webhookMiddleware } from '@webhook-receiver/express'
import express, { type RequestHandler } from 'express'

describeHandler(
  'express',
  ({ secret, now, path, handlers, options }) => {
    const app = express().set('env', 'test')
    app.post(
      path,
      webhookMiddleware(secret, { now, onRejected: false }),
      deliveryHandler(handlers, options),
    )
    return listening(createServer(app))
  },
  {
    startWithoutReceiver: ({ path, handlers, options }) => {
      const app = express()
      app.post(path, deliveryHandler(handlers, options) as RequestHandler)
      return listening(createServer(app))
    },
  },
)
