import { memoryStore, webhookHandler } from '@webhook-receiver/core'
import { Elysia } from 'elysia'

const receive = webhookHandler(
  process.env.WEBHOOK_SECRET,
  {
    any: async ({ id, event, data }) => {
      console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
    },
  },
  // Ignores duplicates, in one process. For several processes, use the Redis or PostgreSQL store.
  { store: memoryStore() },
)

const app = new Elysia({
  // The receiver has its own limit; this one is for other routes.
  serve: { maxRequestBodySize: 16 * 1024 * 1024 },
})
  .post(
    '/webhooks',
    ({ request }) => receive(request),
    // The signature covers the bytes, and a parser discards them.
    { parse: 'none' },
  )
  .listen(Number(process.env.PORT ?? 3000))

console.error(`Listening on http://localhost:${app.server?.port}/webhooks`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Finishes the deliveries in progress first.
  process.once(signal, () => void app.stop().then(() => process.exit()))
}
