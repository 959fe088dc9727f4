import { createServer } from 'node:http'
import { type AdapterSetup, describeAdapter, listening } from '@webhook-receiver/conformance'
import { type WebhookRoute, webhookMiddleware } from '@webhook-receiver/fastify'
import { describeMisbehavingClients, SHORT_TIMEOUTS } from '@webhook-receiver/suites'
import Fastify, { type FastifyInstance } from 'fastify'

async function application(setup: AdapterSetup): Promise<FastifyInstance> {
  const { secret, now, path, onDelivery } = setup
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookMiddleware(secret, { now, onRejected: false }))
    scope.post<WebhookRoute>(path, async (request, reply) => {
      await onDelivery(request.delivery)
      return reply.code(204).send()
    })
  })
  await app.ready()
  return app
}

describeAdapter('fastify', async (setup) =>
  listening(createServer((await application(setup)).routing)),
)

describeMisbehavingClients('fastify', async (setup) =>
  listening(createServer(SHORT_TIMEOUTS, (await application(setup)).routing)),
)
