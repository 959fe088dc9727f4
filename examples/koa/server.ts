import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import { type WebhookState, webhookMiddleware } from '@webhook-receiver/koa'
import Koa from 'koa'

const app = new Koa()
const router = new Router<WebhookState>()

// Above any body parser: the signature is over the bytes, and a parser throws those away.
app.use(webhookMiddleware(process.env.WEBHOOK_SECRET, { path: '/webhooks' }))
app.use(router.routes())

router.post('/webhooks', (ctx) => {
  const { id, event, data } = ctx.state.delivery
  console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  ctx.status = 204
})

// Without a limit of its own, Node lets a request dribble in for five minutes.
const server = createServer({ requestTimeout: 15_000 }, app.callback())

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
