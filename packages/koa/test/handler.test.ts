import { createServer } from 'node:http'
import Router from '@koa/router'
import { describeHandler, listening } from '@webhook-receiver/conformance'
import { deliveryHandler, webhookMiddleware } from '@webhook-receiver/koa'
import Koa from 'koa'

describeHandler(
  'koa',
  ({ secret, now, path, handlers, options }) => {
    const router = new Router()
    router.post(
      path,
      webhookMiddleware(secret, { now, onRejected: false }),
      deliveryHandler(handlers, options),
    )
    return listening(createServer(quiet().use(router.routes()).callback()))
  },
  {
    startWithoutReceiver: ({ handlers, options }) =>
      listening(createServer(quiet().use(deliveryHandler(handlers, options)).callback())),
  },
)

/** An application that does not print the errors that this suite causes. */
function quiet(): Koa {
  const app = new Koa()
  app.silent = true
  return app
}
