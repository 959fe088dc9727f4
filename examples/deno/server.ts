import { createReceiver, WebhookError } from '@webhook-receiver/core'

const receiver = createReceiver(Deno.env.get('WEBHOOK_SECRET'))

async function receive(request: Request): Promise<Response> {
  if (new URL(request.url).pathname !== '/webhooks') return new Response(null, { status: 404 })
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

const server = Deno.serve(
  {
    port: Number(Deno.env.get('PORT') ?? 3000),
    onListen: ({ port }) => console.error(`Listening on http://localhost:${port}/webhooks`),
  },
  receive,
)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Answers the deliveries in progress first.
  Deno.addSignalListener(signal, () => void server.shutdown())
}
