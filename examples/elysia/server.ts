import { createReceiver, WebhookError } from '@webhook-receiver/core'
import { createDeliveryHandler, memoryStore } from '@webhook-receiver/core/handling'
import { Elysia } from 'elysia'

const receiver = createReceiver(process.env.WEBHOOK_SECRET)

const handle = createDeliveryHandler(
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
    async ({ request }) => {
      try {
        const { delivery } = await receiver.receiveRequest(request)
        await handle(delivery)
        return new Response(null, { status: 204 })
      } catch (error) {
        if (error instanceof WebhookError) return error.getResponse()
        console.error(error)
        // Elysia would answer with the `status` of the error, and the delivery may not come again after a 404.
        return new Response(null, { status: 500 })
      }
    },
    // The signature covers the bytes, and a parser discards them.
    { parse: 'none' },
  )
  .listen(Number(process.env.PORT ?? 3000))

console.error(`Listening on http://localhost:${app.server?.port}/webhooks`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Answers the deliveries in progress first.
  process.once(signal, () => void app.stop().then(() => process.exit()))
}
