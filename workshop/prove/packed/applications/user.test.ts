import assert from 'node:assert/strict'
import { test } from '@jest/globals'
import { signDelivery } from '@webhook-receiver/core/testing'
import { webhookMiddleware } from '@webhook-receiver/express'
import express from 'express'
import request from 'supertest'

const secret = 'whsec_application_test'
const seen: string[] = []
const app = express()
app.post('/webhooks', webhookMiddleware(secret), (req, res) => {
  seen.push(req.delivery.id)
  res.sendStatus(204)
})

async function deliver(signedWith: string) {
  const { headers, body } = await signDelivery(signedWith, 'message.received')
  const response = await request(app)
    .post('/webhooks')
    .set(headers)
    .send(Buffer.from(body).toString())
  return { id: headers['X-Webhook-Id'], status: response.status }
}

test('a valid delivery reaches the handler, once', async () => {
  const { id, status } = await deliver(secret)
  assert.equal(status, 204)
  assert.deepEqual(seen.splice(0), [id])
})

test('a forged delivery does not', async () => {
  const { status } = await deliver('whsec_of_somebody_else')
  assert.equal(status, 401)
  assert.deepEqual(seen, [])
})
