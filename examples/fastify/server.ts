import { diagnose } from '@webhook-receiver/diagnose'
import { memoryStore, webhookHandler } from '@webhook-receiver/fastify'
import Fastify from 'fastify'

const app = Fastify({
  // Fastify has no limit by default, so a slow request could take for ever. Node uses the longer one of these
  // two for the whole request, and by default checks only every 30 seconds.
  requestTimeout: 15_000,
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
  // Without a logger, Fastify prints nothing when a handler fails.
  logger: { level: 'warn', stream: process.stderr },
})

// A plugin with one route. Other routes keep their body parsers.
app.register(
  webhookHandler(
    process.env.WEBHOOK_SECRET,
    {
      any: async ({ id, event, data }) => {
        console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
      },
    },
    {
      url: '/webhooks',
      // Ignores duplicates, in one process. For several processes, use the Redis or PostgreSQL store.
      store: memoryStore(),
      // Names the cause when a signature does not match.
      diagnose,
    },
  ),
)

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Finishes the deliveries in progress first, but does not wait for ever.
    app.close()
    setTimeout(() => app.server.closeAllConnections(), 5000).unref()
  })
}

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '0.0.0.0' })
console.error(`Listening on ${url}/webhooks`)
