import { createServer } from 'node:http'
import { describeRudeClients, IMPATIENT, listening } from '@webhook-receiver/conformance'
import { type WebhookRoute, webhookPlugin } from '@webhook-receiver/fastify'
import Fastify from 'fastify'

describeRudeClients('fastify', async ({ secret, now, path, onDelivery }) => {
  const app = Fastify({
    // Its own server, which answers what its parser refuses.
    serverFactory: (handler) => createServer(IMPATIENT, handler),
    requestTimeout: IMPATIENT.requestTimeout,
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
