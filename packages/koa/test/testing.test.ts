import { EVENTS } from '@webhook-receiver/core'
import { webhookHandler } from '@webhook-receiver/koa'
import { deliverTo, sampleDelivery } from '@webhook-receiver/koa/testing'
import Koa from 'koa'
import { expect, test, vi } from 'vitest'

const secret = 'whsec_koa'

function application(work = vi.fn()) {
  const app = new Koa().use((ctx, next) => {
    ctx.set('X-Seen', `${ctx.url} ${ctx.get('x-tenant')}`)
    return next()
  })
  app.use(webhookHandler(secret, work, { path: '/hooks', onRejected: false }))
  return { app, work }
}

test.each(EVENTS)('a sample of %s arrives', async (event) => {
  const { app, work } = application()
  const options = { secret, path: '/hooks?shop=7', id: 'dlv_1', headers: { 'X-Tenant': 't1' } }
  const response = await deliverTo(app, event, undefined, options)
  expect(response).toBeInstanceOf(Response)
  expect([response.status, response.body]).toEqual([204, null])
  expect(response.headers.get('x-seen')).toBe('/hooks?shop=7 t1')
  const [[delivery] = []] = work.mock.calls
  const { data } = sampleDelivery(event).data
  expect(delivery).toMatchObject({ id: 'dlv_1', event, known: true, data: { data } })
})

test('what must be rejected gets its status', async () => {
  const { app } = application()
  const send = (options: object) =>
    deliverTo(app, 'message.read', {}, { path: '/hooks', ...options })
  expect((await send({ secret: 'whsec_other' })).status).toBe(401)
  const response = await send({ secret, tamper: 'alter' })
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({ code: 'not_authenticated', message: 'not authenticated' })
})
