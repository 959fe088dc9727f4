import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import { deliveryHandler, memoryStore, webhookMiddleware } from '@webhook-receiver/koa'
import Koa from 'koa'

const app = new Koa()
const router = new Router()

// Before any body parser: the signature covers the bytes, and a parser discards them.
app.use(router.routes())

router.post(
  '/webhooks',
  webhookMiddleware(process.env.WEBHOOK_SECRET),
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

// By default Node waits five minutes for a slow request, and checks only every 30 seconds.
const patience = { requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }
const server = createServer(patience, app.callback())

server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo
  console.error(`Listening on http://localhost:${port}/webhooks`)
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Answers the deliveries in progress first, but does not wait for ever.
    server.close()
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
