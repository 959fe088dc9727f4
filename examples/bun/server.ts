import { webhookHandler } from '@webhook-receiver/core'

const receive = webhookHandler(process.env.WEBHOOK_SECRET, {
  any: async ({ id, event, data }) => {
    console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  },
})

const server = Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  // The receiver has its own limit; this one is for other routes.
  maxRequestBodySize: 16 * 1024 * 1024,
  routes: { '/webhooks': (request) => receive(request) },
  fetch: () => new Response(null, { status: 404 }),
  error(error) {
    console.error(error)
    return new Response(null, { status: 500 })
  },
})

console.error(`Listening on http://localhost:${server.port}/webhooks`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Finishes the deliveries in progress first.
  process.once(signal, () => void server.stop().then(() => process.exit()))
}
