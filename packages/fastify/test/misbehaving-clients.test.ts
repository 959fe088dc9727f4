import { createServer } from 'node:http'
import {
  describeMisbehavingClients,
  listening,
  SHORT_TIMEOUTS,
} from '@webhook-receiver/conformance'
import { type WebhookRoute, webhookPlugin } from '@webhook-receiver/fastify'
import Fastify from 'fastify'

describeMisbehavingClients('fastify', async ({ secret, now, path, onDelivery }) => {
  const app = Fastify({
    // Its own server, which answers what its parser refuses.
    serverFactory: (handler) => createServer(SHORT_TIMEOUTS, handler),
    requestTimeout: SHORT_TIMEOUTS.requestTimeout,
  })
  app.register(async (scope) => {
    await scope.register(webhookPlugin, { secret, now, onRejected: false })
    scope.post<WebhookRoute>(path, async (request, reply) => {
      await onDelivery(request.delivery)
      return reply.code(204).send()
    })
  })
  await app.ready()
  return listening(app.server)
})
