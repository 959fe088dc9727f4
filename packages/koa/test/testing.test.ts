import { EVENTS, webhookMiddleware } from '@webhook-receiver/koa'
import { deliverTo, sampleDelivery } from '@webhook-receiver/koa/testing'
import Koa from 'koa'
import { expect, test } from 'vitest'

const secret = 'whsec_koa'

function application() {
  const app = new Koa()
  app.silent = true
  app.use(webhookMiddleware(secret, { onRejected: false }))
  app.use((ctx) => {
    const { delivery } = ctx.state
    if (delivery.id === 'broken') throw new Error('the database is down')
    ctx.set('X-Path', ctx.url)
    if (delivery.known) ctx.body = delivery
    else ctx.status = 204
  })
  return app
}

test.each(EVENTS)('a sample of %s arrives', async (event) => {
  const answer = await deliverTo(application(), event, undefined, { secret, id: 'dlv_1' })
  expect(answer.status).toBe(200)
  const { data } = sampleDelivery(event).data
  expect(await answer.json()).toMatchObject({ id: 'dlv_1', event, known: true, data: { data } })
})

test('resolves to a Response, also without a body', async () => {
  const options = { secret, path: '/hooks?shop=7' }
  const answer = await deliverTo(application(), 'message.reacted', {}, options)
  expect(answer).toBeInstanceOf(Response)
  expect(answer.status).toBe(204)
  expect(answer.headers.get('x-path')).toBe('/hooks?shop=7')
})

test('a delivery that is signed with another secret is answered 401', async () => {
  const answer = await deliverTo(application(), 'message.read', {}, { secret: 'whsec_other' })
  expect(answer.status).toBe(401)
})

test.each(['alter', 'stale'] as const)('one to %s is answered 401', async (tamper) => {
  expect((await deliverTo(application(), 'message.read', {}, { secret, tamper })).status).toBe(401)
})

test('a handler that throws is answered 500', async () => {
  const options = { secret, id: 'broken' }
  expect((await deliverTo(application(), 'message.read', {}, options)).status).toBe(500)
})
