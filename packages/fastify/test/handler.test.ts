import { createServer } from 'node:http'
import { describeHandler, listening } from '@webhook-receiver/conformance'
import { deliveryHandler, webhookPlugin } from '@webhook-receiver/fastify'
import Fastify from 'fastify'

describeHandler(
  'fastify',
  async ({ secret, now, path, handlers, options }) => {
    const app = Fastify()
    app.register(async (scope) => {
      await scope.register(webhookPlugin, { secret, now, onRejected: false })
      scope.post(path, deliveryHandler(handlers, options))
    })
    await app.ready()
    return listening(createServer(app.routing))
  },
  {
    startWithoutReceiver: async ({ path, handlers, options }) => {
      const app = Fastify()
      app.post(path, deliveryHandler(handlers, options))
      await app.ready()
      return listening(createServer(app.routing))
    },
  },
)
