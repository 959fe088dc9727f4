import { EVENTS } from '@webhook-receiver/core'
import { webhookHandler } from '@webhook-receiver/express'
import { deliverTo, sampleDelivery } from '@webhook-receiver/express/testing'
import express from 'express'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const secret = 'whsec_express'

function application(work = vi.fn()) {
  const app = express()
  app.use((req, res, next) => {
    res
      .cookie('a', '1')
      .cookie('b', '2')
      .set('X-Seen', `${req.get('x-tenant')} ${req.query.shop}`)
    next()
  })
  app.post('/hooks', webhookHandler(secret, work, { onRejected: false }))
  return { app, work }
}

test.each(EVENTS)('a sample of %s arrives', async (event) => {
  const { app, work } = application()
  const options = { secret, path: '/hooks?shop=7', id: 'dlv_1', headers: { 'X-Tenant': 't1' } }
  const response = await deliverTo(app, event, undefined, options)
  expect(response).toBeInstanceOf(Response)
  expect([response.status, response.body]).toEqual([204, null])
  expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Path=/'])
  expect(response.headers.get('x-seen')).toBe('t1 7')
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

test('neither a replaced fetch nor fake timers are in the way', async () => {
  vi.stubGlobal('fetch', vi.fn())
  vi.useFakeTimers({ now: 1_767_225_600_000 })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  const { app } = application()
  expect((await deliverTo(app, 'message.read', {}, { secret, path: '/hooks' })).status).toBe(204)
})

describe('under fake timers', () => {
  // Created before them, as where a test imports its application.
  const { app, work } = application()

  test('an application that was created before accepts a delivery', async () => {
    vi.useFakeTimers({ now: new Date('2020-02-02'), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const response = await deliverTo(app, 'message.read', {}, { secret, path: '/hooks' })
    expect(response.status).toBe(204)
    expect(work).toHaveBeenCalledOnce()
  })
})
