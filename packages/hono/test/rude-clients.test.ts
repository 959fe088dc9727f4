import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { describeRudeClients, IMPATIENT, listening } from '@webhook-receiver/conformance'
import { webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'
import { beforeAll, vi } from 'vitest'

// Hono prints what a handler throws.
beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue())

describeRudeClients('hono', ({ secret, now, path, onDelivery }) => {
  const app = new Hono()
  app.post(path, webhookMiddleware(secret, { now, onRejected: false }), async (c) => {
    await onDelivery(c.var.delivery)
    return c.body(null, 204)
  })
  return listening(createServer(IMPATIENT, getRequestListener(app.fetch)))
})
