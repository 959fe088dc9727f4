import { deliveryHandler, memoryStore, webhookPlugin } from '@webhook-receiver/fastify'
import Fastify from 'fastify'

const app = Fastify({
  // Fastify has no limit by default, so a slow request could take for ever. Node uses the longer one of these
  // two for the whole request, and by default checks only every 30 seconds.
  requestTimeout: 15_000,
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
  // Without a logger, Fastify prints nothing when a handler fails.
  logger: { level: 'warn', stream: process.stderr },
})

// The plugin protects every route in this scope, and no route outside of it.
app.register(async (scope) => {
  await scope.register(webhookPlugin, { secret: process.env.WEBHOOK_SECRET })

  scope.post(
    '/webhooks',
    deliveryHandler(
      {
        any: async ({ id, event, data }) => {
          console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
        },
      },
      // Ignores duplicates, in one process. For several processes, use the Redis or PostgreSQL store.
      { store: memoryStore() },
    ),
  )
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Answers the deliveries in progress first, but does not wait for ever.
    app.close()
    setTimeout(() => app.server.closeAllConnections(), 5000).unref()
  })
}

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '0.0.0.0' })
console.error(`Listening on ${url}/webhooks`)
