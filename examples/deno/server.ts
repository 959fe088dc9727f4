import { webhookHandler } from '@webhook-receiver/core'

const receive = webhookHandler(Deno.env.get('WEBHOOK_SECRET'), {
  any: async ({ id, event, data }) => {
    console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  },
})

const server = Deno.serve(
  {
    port: Number(Deno.env.get('PORT') ?? 3000),
    onListen: ({ port }) => console.error(`Listening on http://localhost:${port}/webhooks`),
  },
  (request) =>
    new URL(request.url).pathname === '/webhooks'
      ? receive(request)
      : new Response(null, { status: 404 }),
)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Finishes the deliveries in progress first.
  Deno.addSignalListener(signal, () => void server.shutdown())
}
