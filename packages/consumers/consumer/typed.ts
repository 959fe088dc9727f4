import { createServer } from 'node:http'
import { createReceiver, type Delivery } from '@webhook-receiver/core'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { webhookMiddleware as expressWebhook } from '@webhook-receiver/express'
import { deliverTo as toExpress } from '@webhook-receiver/express/testing'
import { type WebhookRoute, webhookPlugin } from '@webhook-receiver/fastify'
import { deliverTo as toFastify } from '@webhook-receiver/fastify/testing'
import { webhookMiddleware as honoWebhook } from '@webhook-receiver/hono'
import { deliverTo as toHono } from '@webhook-receiver/hono/testing'
import { webhookMiddleware as koaWebhook } from '@webhook-receiver/koa'
import { deliverTo as toKoa } from '@webhook-receiver/koa/testing'
import { captureRawBody, webhookListener } from '@webhook-receiver/node'
import { deliverTo as toNode } from '@webhook-receiver/node/testing'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'

const secret: string | undefined = process.env.WEBHOOK_SECRET

/** Takes a delivery, and narrows it: both fail to compile where a package's types were not found. */
function take(delivery: Delivery): string {
  // @ts-expect-error no field of a delivery
  delivery.nonexistent
  if (!delivery.known) return delivery.event
  // @ts-expect-error no such event
  if (delivery.event === 'message.recieved') return ''
  return delivery.data.instance_id
}

express()
  .use('/kept', express.json({ verify: captureRawBody }))
  .post('/webhooks', expressWebhook(secret), (req, res) => {
    res.send(take(req.delivery))
  })

new Koa<object>().use(koaWebhook(secret)).use((ctx) => {
  ctx.body = take(ctx.state.delivery)
})

Fastify().register(async (scope) => {
  await scope.register(webhookPlugin, { secret })
  scope.post<WebhookRoute>('/webhooks', async (request) => take(request.delivery))
})

new Hono().post('/webhooks', honoWebhook(secret), (c) => c.text(take(c.var.delivery)))

createServer(webhookListener(secret, (delivery) => void take(delivery)))

export async function receive(request: Request): Promise<string> {
  const { delivery } = await createReceiver(secret).receiveRequest(request)
  return take(delivery)
}

export const signed = signDelivery('whsec_', sampleDelivery('message.read'))

export const answers: readonly Promise<Response>[] = [
  toExpress(express(), 'message.read'),
  toFastify(Fastify(), 'message.read'),
  toHono(new Hono<{ Bindings: { SHOP: string } }>(), 'message.read', {}, { env: { SHOP: 's1' } }),
  toKoa(new Koa(), 'message.read'),
  toNode(
    webhookListener(secret, () => {}),
    'message.read',
  ),
]
