import { json } from 'node:stream/consumers'
import { type Delivery, webhookMiddleware } from '@webhook-receiver/koa'
import Koa from 'koa'

declare module '@webhook-receiver/koa' {
  interface EventData {
    'instance.connected': { readonly phone: string }
  }
}

const app = new Koa<object>()
app.use(async (ctx, next) => {
  // Here something has read the body before the receiver gets the request.
  if (ctx.path === '/parsed') await json(ctx.req)
  await next()
})
app.use(webhookMiddleware(process.env.WEBHOOK_SECRET)).use((ctx) => {
  print(ctx.state.delivery)
  ctx.status = 204
})
const server = app.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))

function print(delivery: Delivery): void {
  if (!delivery.known || delivery.event !== 'instance.connected') return
  // @ts-expect-error not in the content of this event
  delivery.data.data.telephone
  console.log(JSON.stringify({ id: delivery.id, phone: delivery.data.data.phone.trim() }))
}
