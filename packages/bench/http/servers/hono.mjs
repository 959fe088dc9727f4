import { getRequestListener } from '@hono/node-server'
import { webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'
import { signatureMatches } from '../../verification/plain.mjs'
import { BODY } from '../subjects.mjs'

/** By name: a request listener that verifies with `secret` and calls `take` with the delivery. */
export const servers = {
  'JSON parser': (_secret, take) =>
    listener(async (c) => {
      take(await c.req.json())
      return c.body(null, 204)
    }),

  'webhook-receiver': (secret, take) =>
    listener(webhookMiddleware(secret), (c) => {
      take(c.var.delivery)
      return c.body(null, 204)
    }),

  'webhook-receiver, with a body': (secret, take) =>
    listener(webhookMiddleware(secret), (c) => {
      take(c.var.delivery)
      return c.json(BODY)
    }),

  'plain node:crypto': (secret, take) =>
    listener(async (c) => {
      const body = Buffer.from(await c.req.arrayBuffer())
      const timestamp = c.req.header('x-webhook-timestamp')
      if (!signatureMatches(secret, timestamp, body, c.req.header('x-webhook-signature'))) {
        return c.body(null, 401)
      }
      take(JSON.parse(body.toString()))
      return c.body(null, 204)
    }),
}

function listener(...handlers) {
  return getRequestListener(new Hono().post('/webhooks', ...handlers).fetch)
}
