import { webhookPlugin } from '@webhook-receiver/fastify'
import Fastify from 'fastify'

export default async function ours(secret, take) {
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookPlugin, { secret })
    scope.post('/webhooks', async (request, reply) => {
      take(request.delivery)
      reply.code(204)
    })
  })
  await app.ready()
  return app.routing
}
