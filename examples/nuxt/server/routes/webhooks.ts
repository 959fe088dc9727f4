import { memoryStore, webhookHandler } from '@webhook-receiver/node'

const listener = webhookHandler(
  // A function, because the build also loads this file and has no secret.
  () => process.env.WEBHOOK_SECRET,
  {
    any: async ({ id, event, data }) => {
      console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
    },
  },
  // Ignores duplicates, in one process. For several processes, use the Redis or PostgreSQL store.
  { store: memoryStore() },
)

// It reads the request of Node itself, and responds to it: readBody() and toWebRequest() buffer the body without a limit.
export default fromNodeMiddleware(listener)
