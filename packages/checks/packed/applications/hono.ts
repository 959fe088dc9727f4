import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Delivery, webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'

declare module '@webhook-receiver/hono' {
  interface EventData {
    'instance.connected': { readonly phone: string }
  }
}

const app = new Hono()
app.use('/parsed', async (c, next) => {
  // Here something has read the body before the receiver gets the request.
  await c.req.json()
  await next()
})
for (const path of ['/webhooks', '/parsed']) {
  app.post(path, webhookMiddleware(process.env.WEBHOOK_SECRET), (c) => {
    print(c.var.delivery)
    return c.body(null, 204)
  })
}
const server = createServer(getRequestListener(app.fetch))
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))

function print(delivery: Delivery): void {
  if (!delivery.known || delivery.event !== 'instance.connected') return
  // @ts-expect-error not in the content of this event
  delivery.data.data.telephone
  console.log(JSON.stringify({ id: delivery.id, phone: delivery.data.data.phone.trim() }))
}
