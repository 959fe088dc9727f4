import { createReceiver, WebhookError } from '@webhook-receiver/core'
import { createDeliveryHandler, memoryStore } from '@webhook-receiver/core/handling'
import type { RequestHandler } from './$types'

// A function, because `vite build` also loads this file and has no secret.
const receiver = createReceiver(() => process.env.WEBHOOK_SECRET)

const handle = createDeliveryHandler(
  {
    any: async ({ id, event, data }) => {
      console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
    },
  },
  // Ignores duplicates, in one process. For several processes, use the Redis or PostgreSQL store.
  { store: memoryStore() },
)

export const POST: RequestHandler = async ({ request }) => {
  try {
    const { delivery } = await receiver.receiveRequest(request)
    await handle(delivery)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof WebhookError) return error.getResponse()
    console.error(error)
    return new Response(null, { status: 500 })
  }
}
