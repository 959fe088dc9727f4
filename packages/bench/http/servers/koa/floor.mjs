import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'

/** Koa and its usual JSON parser, without any verification. */
export default function floor(_secret, take) {
  const app = new Koa()
  app.use(bodyParser({ jsonLimit: '1mb' }))
  app.use((ctx) => {
    if (ctx.path !== '/webhooks') return
    take(ctx.request.body)
    ctx.status = 204
  })
  return app.callback()
}
