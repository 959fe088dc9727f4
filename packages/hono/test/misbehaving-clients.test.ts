import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import {
  describeMisbehavingClients,
  listening,
  SHORT_TIMEOUTS,
} from '@webhook-receiver/conformance'
import { webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'
import { beforeAll, vi } from 'vitest'

// Hono prints what a handler throws.
beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue())

describeMisbehavingClients('hono', ({ secret, now, path, onDelivery }) => {
  const app = new Hono()
  app.post(path, webhookMiddleware(secret, { now, onRejected: false }), async (c) => {
    await onDelivery(c.var.delivery)
    return c.body(null, 204)
  })
  return listening(createServer(SHORT_TIMEOUTS, getRequestListener(app.fetch)))
})
