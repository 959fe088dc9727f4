import { webhookHandler, webhookMiddleware } from '@webhook-receiver/express'
import { signDelivery } from '@webhook-receiver/express/testing'
import express, { type RequestHandler } from 'express'
import request from 'supertest'
import { describe, expect, test, vi } from 'vitest'

const secret = 'whsec_supertest'
const seen = vi.fn()

const forms: Readonly<Record<string, readonly RequestHandler[]>> = {
  webhookMiddleware: [
    webhookMiddleware(secret, { onRejected: false }) as RequestHandler,
    (req, res) => {
      seen(req.delivery?.event)
      res.sendStatus(204)
    },
  ],
  webhookHandler: [webhookHandler(secret, ({ event }) => seen(event), { onRejected: false })],
}

describe.each(Object.entries(forms))('%s, called by supertest', (_name, handlers) => {
  const app = express().post('/webhooks', ...handlers)

  test('passes a verified delivery to the handler', async () => {
    seen.mockClear()
    const { headers, body } = await signDelivery(secret, 'message.read')
    await request(app).post('/webhooks').set(headers).send(Buffer.from(body).toString()).expect(204)
    expect(seen).toHaveBeenCalledExactlyOnceWith('message.read')
  })

  test('rejects a forged request with 401', async () => {
    seen.mockClear()
    const { headers, body } = await signDelivery('whsec_other', 'message.read')
    await request(app)
      .post('/webhooks')
      .set(headers)
      .send(Buffer.from(body).toString())
      .expect(401, { code: 'not_authenticated', message: 'not authenticated' })
    expect(seen).not.toHaveBeenCalled()
  })
})
