import { type WebhookRoute, webhookMiddleware } from '@webhook-receiver/fastify'
import Fastify from 'fastify'

const app = Fastify()
app.register(async (scope) => {
  await scope.register(webhookMiddleware(process.env.WEBHOOK_SECRET))
  scope.post<WebhookRoute>('/webhooks', async ({ delivery }, reply) => {
    console.log(JSON.stringify({ id: delivery.id }))
    return reply.code(204).send()
  })
})
app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
