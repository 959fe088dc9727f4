import { deliveryHandler, memoryStore, webhookListener } from '@webhook-receiver/node'

const listener = webhookListener(
  // A function, because the build also loads this file and has no secret.
  () => process.env.WEBHOOK_SECRET,
  deliveryHandler(
    {
      any: async ({ id, event, data }) => {
        console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
      },
    },
    // Ignores duplicates, in one process. For several processes, use the Redis or PostgreSQL store.
    { store: memoryStore() },
  ),
)

// The listener reads and answers the request of Node itself: readBody() and toWebRequest() buffer the body without a limit.
export default fromNodeMiddleware(listener)
