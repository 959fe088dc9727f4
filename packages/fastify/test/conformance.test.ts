import { createServer } from 'node:http'
import { describeAdapter, listening } from '@webhook-receiver/conformance'
import { type WebhookRoute, webhookPlugin } from '@webhook-receiver/fastify'
import Fastify from 'fastify'

describeAdapter('fastify', async ({ secret, now, path, onDelivery }) => {
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookPlugin, { secret, now, onRejected: false })
    scope.post<WebhookRoute>(path, async (request, reply) => {
      await onDelivery(request.delivery)
      return reply.code(204).send()
    })
  })
  await app.ready()
  return listening(createServer(app.routing))
})
