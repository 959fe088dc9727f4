import { webhookHandler } from '@webhook-receiver/express'
import { deliverTo, signDelivery } from '@webhook-receiver/express/testing'
import { describeTesting } from '@webhook-receiver/suites'
import express, { type Express } from 'express'
import request from 'supertest'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const secret = 'whsec_express'

function application(work = vi.fn()): Express {
  return express().post('/hooks', webhookHandler(secret, work, { onRejected: false }))
}

describeTesting({
  secret,
  deliverTo,
  create: (work, seen) =>
    express()
      .use((req, res, next) => next(void res.set(seen(req.get('x-tenant'), req.url))))
      .use(application(vi.fn(work))),
})

test('neither a replaced fetch nor fake timers are in the way', async () => {
  vi.stubGlobal('fetch', vi.fn())
  vi.useFakeTimers({ now: 1_767_225_600_000 })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  const response = deliverTo(application(), 'message.read', {}, { secret, path: '/hooks' })
  expect((await response).status).toBe(204)
})

describe('under fake timers', () => {
  // Created before them, as where a test imports its application.
  const work = vi.fn()
  const app = application(work)

  test('an application that was created before accepts a delivery', async () => {
    vi.useFakeTimers({ now: new Date('2020-02-02'), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const response = await deliverTo(app, 'message.read', {}, { secret, path: '/hooks' })
    expect(response.status).toBe(204)
    expect(work).toHaveBeenCalledOnce()
  })
})

test('supertest sends what signDelivery returns', async () => {
  const work = vi.fn()
  for (const [key, status] of [
    [secret, 204],
    ['whsec_other', 401],
  ] as const) {
    const { headers, body } = await signDelivery(key, 'message.read')
    const sent = request(application(work)).post('/hooks').set(headers)
    await sent.send(Buffer.from(body).toString()).expect(status)
  }
  expect(work).toHaveBeenCalledOnce()
})
