import { memoryStore, webhookHandler } from '@webhook-receiver/core'
import type { RequestHandler } from './$types'

export const POST: RequestHandler = webhookHandler(
  // A function, because `vite build` also loads this file and has no secret.
  () => process.env.WEBHOOK_SECRET,
  {
    any: async ({ id, event, data }) => {
      console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
    },
  },
  // Ignores duplicates, in one process. For several processes, use the Redis or PostgreSQL store.
  { store: memoryStore() },
)
