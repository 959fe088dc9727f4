import { webhookHandler } from '@webhook-receiver/koa'
import { deliverTo } from '@webhook-receiver/koa/testing'
import { describeTesting } from '@webhook-receiver/suites'
import Koa from 'koa'

const secret = 'whsec_koa'

describeTesting({
  secret,
  deliverTo,
  create: (work, seen) =>
    new Koa()
      .use((ctx, next) => {
        ctx.set(seen(ctx.get('x-tenant'), ctx.url))
        return next()
      })
      .use(webhookHandler(secret, work, { path: '/hooks', onRejected: false })),
})
