import { EVENTS, type WebhookRoute, webhookPlugin } from '@webhook-receiver/fastify'
import { deliverTo, sampleDelivery } from '@webhook-receiver/fastify/testing'
import Fastify from 'fastify'
import { expect, test } from 'vitest'

const secret = 'whsec_fastify'

function application() {
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookPlugin, { secret, onRejected: false })
    scope.post<WebhookRoute>('/webhooks', async ({ delivery }, reply) => {
      if (delivery.id === 'broken') throw new Error('the database is down')
      reply.header('Set-Cookie', ['a=1', 'b=2'])
      return delivery
    })
    scope.post<WebhookRoute>('/elsewhere', async (request, reply) => {
      return reply.code(204).header('X-Seen', request.headers['x-tenant']).send()
    })
  })
  return app
}

test.each(EVENTS)('a sample of %s arrives', async (event) => {
  const answer = await deliverTo(application(), event, undefined, { secret, id: 'dlv_1' })
  expect(answer.status).toBe(200)
  const { data } = sampleDelivery(event).data
  expect(await answer.json()).toMatchObject({ id: 'dlv_1', event, known: true, data: { data } })
})

test('resolves to a Response, with every header', async () => {
  const answer = await deliverTo(application(), 'message.read', { by: 'Zoë' }, { secret })
  expect(answer).toBeInstanceOf(Response)
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(await answer.text()).toContain('"data":{"by":"Zoë"}')
})

test('goes to another path, with headers of the test, as often as it is asked', async () => {
  const app = application()
  for (const tenant of ['t1', 't2']) {
    const options = { secret, path: '/elsewhere', headers: { 'X-Tenant': tenant } }
    const answer = await deliverTo(app, 'message.reacted', {}, options)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('x-seen')).toBe(tenant)
  }
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
