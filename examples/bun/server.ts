import { createReceiver, WebhookError } from '@webhook-receiver/core'

const receiver = createReceiver(process.env.WEBHOOK_SECRET)

async function receive(request: Request): Promise<Response> {
  try {
    const { delivery } = await receiver.receiveRequest(request)
    const { id, event, data } = delivery
    console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof WebhookError) return error.getResponse()
    throw error
  }
}

const server = Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  // The receiver has its own limit; this one is for other routes.
  maxRequestBodySize: 16 * 1024 * 1024,
  routes: { '/webhooks': receive },
  fetch: () => new Response(null, { status: 404 }),
  error(error) {
    console.error(error)
    return new Response(null, { status: 500 })
  },
})

console.error(`Listening on http://localhost:${server.port}/webhooks`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Answers the deliveries in progress first.
  process.once(signal, () => void server.stop().then(() => process.exit()))
}
