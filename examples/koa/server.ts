import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import { diagnose } from '@webhook-receiver/diagnose'
import { memoryStore, webhookHandler } from '@webhook-receiver/koa'
import Koa from 'koa'

const app = new Koa()
const router = new Router()

// Before any body parser: the signature covers the bytes, and a parser discards them.
app.use(router.routes())

router.post(
  '/webhooks',
  webhookHandler(
    process.env.WEBHOOK_SECRET,
    {
      any: async ({ id, event, data }) => {
        console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
      },
    },
    {
      // Ignores duplicates, in one process. For several processes, use the Redis or PostgreSQL store.
      store: memoryStore(),
      // Names the cause when a signature does not match.
      diagnose,
    },
  ),
)

// By default Node waits five minutes for a slow request, and checks only every 30 seconds.
const patience = { requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }
const server = createServer(patience, app.callback())

server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo
  console.error(`Listening on http://localhost:${port}/webhooks`)
})

// A proxy keeps connections open and sends on them: when the server stops, each response closes its connection.
const responses = new Set<ServerResponse>()
server.prependListener('request', (_req, res) => {
  if (!server.listening) res.shouldKeepAlive = false
  responses.add(res)
  res.once('close', () => responses.delete(res))
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Finishes the deliveries in progress first, but does not wait for ever.
    server.close()
    for (const res of responses) res.shouldKeepAlive = false
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
