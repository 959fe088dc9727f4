import { EVENTS, webhookMiddleware } from '@webhook-receiver/hono'
import { deliverTo, sampleDelivery } from '@webhook-receiver/hono/testing'
import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'

const secret = 'whsec_hono'

afterEach(() => {
  vi.unstubAllEnvs()
})

function application() {
  const app = new Hono<{ Bindings: { WEBHOOK_SECRET: string; SHOP: string } }>()
  app.post('/webhooks', webhookMiddleware(secret, { onRejected: false }), (c) => {
    const { delivery } = c.var
    if (delivery.id === 'broken') throw new Error('the database is down')
    return c.json(delivery)
  })
  app.post(
    '/bound',
    webhookMiddleware((c) => c.env.WEBHOOK_SECRET, { onRejected: false }),
    (c) => c.text(`${c.env.SHOP} ${c.req.header('x-tenant')} ${c.req.query('page')}`, 202),
  )
  return app
}

test.each(EVENTS)('a sample of %s arrives', async (event) => {
  const answer = await deliverTo(application(), event, undefined, { secret, id: 'dlv_1' })
  expect(answer.status).toBe(200)
  const { data } = sampleDelivery(event).data
  expect(await answer.json()).toMatchObject({ id: 'dlv_1', event, known: true, data: { data } })
})

test('gives the bindings, whose WEBHOOK_SECRET also signs', async () => {
  vi.stubEnv('WEBHOOK_SECRET', 'whsec_other')
  const env = { WEBHOOK_SECRET: secret, SHOP: 's1' }
  const options = { path: '/bound?page=7', env, headers: { 'X-Tenant': 't1' } }
  const answer = await deliverTo(application(), 'message.reacted', {}, options)
  expect(answer.status).toBe(202)
  expect(await answer.text()).toBe('s1 t1 7')
})

test('a secret that is given goes before that of the bindings', async () => {
  const options = { path: '/bound', env: { WEBHOOK_SECRET: secret }, secret: 'whsec_other' }
  expect((await deliverTo(application(), 'message.read', {}, options)).status).toBe(401)
})

test('without bindings it signs with that of the environment', async () => {
  vi.stubEnv('WEBHOOK_SECRET', secret)
  const env = { SHOP: 's1' }
  expect((await deliverTo(application(), 'message.read', {}, { env })).status).toBe(200)
  expect((await deliverTo(application(), 'message.read')).status).toBe(200)
})

test.each(['alter', 'stale'] as const)('one to %s is answered 401', async (tamper) => {
  expect((await deliverTo(application(), 'message.read', {}, { secret, tamper })).status).toBe(401)
})

test('a handler that throws is answered 500', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const options = { secret, id: 'broken' }
  expect((await deliverTo(application(), 'message.read', {}, options)).status).toBe(500)
  expect(log).toHaveBeenCalledOnce()
  log.mockRestore()
})
