import { createServer } from 'node:http'
import { deliveryHandler, EVENTS, memoryStore, webhookMiddleware } from '@webhook-receiver/express'
import { deliverTo, sampleDelivery, signDelivery } from '@webhook-receiver/express/testing'
import express from 'express'
import { afterEach, expect, test, vi } from 'vitest'

const secret = 'whsec_express'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function application(): express.Express {
  const app = express()
  app.post('/webhooks', webhookMiddleware(secret, { onRejected: false }), (req, res) => {
    if (req.delivery.id === 'broken') throw new Error('the database is down')
    res.cookie('a', '1').cookie('b', '2').json(req.delivery)
  })
  app.post('/elsewhere', webhookMiddleware(secret), (req, res) => {
    res.status(202).send(`${req.get('x-tenant')} ${req.query.shop}`)
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
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Path=/'])
  expect(await answer.text()).toContain('"data":{"by":"Zoë"}')
})

test('goes to another path, with headers of the test', async () => {
  const options = { secret, path: '/elsewhere?shop=7', headers: { 'X-Tenant': 't1' } }
  const answer = await deliverTo(application(), 'message.reacted', {}, options)
  expect(answer.status).toBe(202)
  expect(await answer.text()).toBe('t1 7')
})

test('a deliveryHandler answers 204, and runs once for copies of the same id', async () => {
  vi.stubEnv('WEBHOOK_SECRET', secret)
  const work = vi.fn()
  const app = express()
  const handler = deliveryHandler({ 'message.sent': work }, { store: memoryStore() })
  app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), handler)
  for (const _ of [1, 2]) {
    const answer = await deliverTo(app, 'message.sent', {}, { id: 'dlv_2' })
    expect(answer.status).toBe(204)
    expect(answer.body).toBe(null)
  }
  expect(work).toHaveBeenCalledOnce()
})

test('a delivery that is signed with another secret is answered 401', async () => {
  const answer = await deliverTo(application(), 'message.read', {}, { secret: 'whsec_other' })
  expect(answer.status).toBe(401)
})

test.each(['alter', 'stale'] as const)('one to %s is answered 401', async (tamper) => {
  expect((await deliverTo(application(), 'message.read', {}, { secret, tamper })).status).toBe(401)
})

test('a handler that throws is answered 500', async () => {
  const app = application().set('env', 'test')
  expect((await deliverTo(app, 'message.read', {}, { secret, id: 'broken' })).status).toBe(500)
})

test('neither a replaced fetch nor fake timers are in the way', async () => {
  vi.stubGlobal('fetch', vi.fn())
  vi.useFakeTimers({ now: 1_767_225_600_000 })
  expect((await deliverTo(application(), 'message.read', {}, { secret })).status).toBe(200)
})

test('rejects where the connection ends without an answer', async () => {
  const app = express().use((req) => void req.socket.destroy())
  await expect(deliverTo(app, 'message.read', {}, { secret })).rejects.toThrow('socket hang up')
})

test.each([
  ['a server', createServer()],
  ['nothing', undefined],
])('%s is a TypeError', async (_, app) => {
  const delivered: Promise<unknown> = Reflect.apply(deliverTo, undefined, [app, 'message.read'])
  await expect(delivered).rejects.toThrow(TypeError)
  await expect(delivered).rejects.toThrow('should be a function of a request and a response')
})

test('the signer is at hand for what deliverTo does not do', async () => {
  expect((await signDelivery(secret, 'message.read')).headers).toHaveProperty('X-Webhook-Id')
})
