import { requireDelivery, webhookMiddleware } from '@webhook-receiver/koa'
import Koa from 'koa'

export default function ours(secret, take) {
  const app = new Koa()
  app.use(webhookMiddleware(secret, { path: '/webhooks' }))
  app.use((ctx) => {
    if (ctx.path !== '/webhooks') return
    take(requireDelivery(ctx))
    ctx.status = 204
  })
  return app.callback()
}
