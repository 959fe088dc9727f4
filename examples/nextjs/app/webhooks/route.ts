import { webhookHandler } from '@webhook-receiver/core'

// A function, because `next build` also loads this file and has no secret.
export const POST = webhookHandler(() => process.env.WEBHOOK_SECRET, {
  any: async ({ id, event, data }) => {
    console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  },
})
