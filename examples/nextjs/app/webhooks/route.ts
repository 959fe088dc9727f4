import { createReceiver, WebhookError } from '@webhook-receiver/core'

// A function, because `next build` also loads this file and has no secret.
const receiver = createReceiver(() => process.env.WEBHOOK_SECRET)

export async function POST(request: Request): Promise<Response> {
  try {
    const { delivery } = await receiver.receiveRequest(request)
    const { id, event, data } = delivery
    console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof WebhookError) return error.getResponse()
    console.error(error)
    return new Response(null, { status: 500 })
  }
}
