import { deliveryHandler, memoryStore, webhookPlugin } from '@webhook-receiver/fastify'
import Fastify from 'fastify'

const app = Fastify({
  // Fastify sets no limit, so that a request that dribbles in would be waited for without end. Node takes
  // the longer one of these two for the whole request, and looks at its clock every 30 s unless it is told.
  requestTimeout: 15_000,
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
  // Without a logger, Fastify says nothing when a handler fails.
  logger: { level: 'warn', stream: process.stderr },
})

// A scope of its own: the plugin guards every route in it, and no route outside.
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
      // Keeps copies away, in one process; for more there are stores in Redis and PostgreSQL.
      { store: memoryStore() },
    ),
  )
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Deliveries in progress are still answered, for as long as that takes, but not for ever.
    app.close()
    setTimeout(() => app.server.closeAllConnections(), 5000).unref()
  })
}

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '0.0.0.0' })
console.error(`Listening on ${url}/webhooks`)
