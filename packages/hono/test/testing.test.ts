import { webhookHandler } from '@webhook-receiver/hono'
import { deliverTo } from '@webhook-receiver/hono/testing'
import { describeTesting } from '@webhook-receiver/suites'
import { type Context, Hono } from 'hono'
import { expect, test, vi } from 'vitest'

const secret = 'whsec_hono'

interface Env {
  readonly WEBHOOK_SECRET: string
  readonly SHOP: string
}

function application() {
  const work = vi.fn()
  const app = new Hono<{ Bindings: Env }>()
  app.use((c, next) => {
    c.header('X-Seen', `${c.env?.SHOP} ${c.req.header('x-tenant')} ${c.req.query('page')}`)
    return next()
  })
  app.post('/webhooks', webhookHandler(secret, work, { onRejected: false }))
  const source = (c: Context<{ Bindings: Env }>) => c.env.WEBHOOK_SECRET
  app.post('/bound', webhookHandler(source, work, { onRejected: false }))
  return { app, work }
}

describeTesting({
  secret,
  deliverTo,
  create(work, seen) {
    const app = new Hono()
    app.use((c, next) => {
      for (const [name, values] of Object.entries(seen(c.req.header('x-tenant'), targetOf(c)))) {
        for (const value of [values].flat()) c.header(name, value, { append: true })
      }
      return next()
    })
    return app.post('/hooks', webhookHandler(secret, work, { onRejected: false }))
  },
})

function targetOf({ req }: Context) {
  return req.url.replace(new URL(req.url).origin, '')
}

test('gives the bindings, whose WEBHOOK_SECRET also signs', async () => {
  vi.stubEnv('WEBHOOK_SECRET', 'whsec_other')
  const env = { WEBHOOK_SECRET: secret, SHOP: 's1' }
  const options = { path: '/bound?page=7', env, headers: { 'X-Tenant': 't1' } }
  const response = await deliverTo(application().app, 'message.reacted', {}, options)
  expect([response.status, response.headers.get('x-seen')]).toEqual([204, 's1 t1 7'])
})
