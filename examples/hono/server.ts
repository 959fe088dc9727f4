import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'

const app = new Hono()

app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (c) => {
  const { id, event, data } = c.var.delivery
  console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  return c.body(null, 204)
})

// Without a limit of its own, Node lets a request dribble in for five minutes.
const server = createServer({ requestTimeout: 15_000 }, getRequestListener(app.fetch))

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
