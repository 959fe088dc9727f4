import { webhookMiddleware } from '@webhook-receiver/koa'
import Koa from 'koa'

const app = new Koa<object>()
app.use(webhookMiddleware(process.env.WEBHOOK_SECRET)).use((ctx) => {
  console.log(JSON.stringify({ id: ctx.state.delivery.id }))
  ctx.status = 204
})
app.listen(Number(process.env.PORT), '127.0.0.1')
