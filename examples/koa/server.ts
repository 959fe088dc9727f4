import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import { deliveryHandler, memoryStore, webhookMiddleware } from '@webhook-receiver/koa'
import Koa from 'koa'

const app = new Koa()
const router = new Router()

// Above any body parser: the signature is over the bytes, and a parser throws those away.
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
    // Keeps copies away, in one process; for more there are stores in Redis and PostgreSQL.
    { store: memoryStore() },
  ),
)

// Without a limit of its own, Node lets a request dribble in for five minutes, and looks at its clock every 30 s only.
const patience = { requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }
const server = createServer(patience, app.callback())

server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo
  console.error(`Listening on http://localhost:${port}/webhooks`)
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Deliveries in progress are still answered, for as long as that takes, but not for ever.
    server.close()
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
