import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type AdapterSetup, describeAdapter, listening } from '@webhook-receiver/conformance'
import { webhookMiddleware } from '@webhook-receiver/hono'
import { describeMisbehavingClients, SHORT_TIMEOUTS } from '@webhook-receiver/suites'
import { Hono } from 'hono'
import { beforeAll, vi } from 'vitest'

// Hono prints what a handler throws.
beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue())

function application({ secret, now, path, onDelivery }: AdapterSetup): Hono {
  const app = new Hono()
  app.post(path, webhookMiddleware(secret, { now, onRejected: false }), async (c) => {
    await onDelivery(c.var.delivery)
    return c.body(null, 204)
  })
  return app
}

describeAdapter('hono', (setup) =>
  listening(createServer(getRequestListener(application(setup).fetch))),
)

describeMisbehavingClients('hono', (setup) =>
  listening(createServer(SHORT_TIMEOUTS, getRequestListener(application(setup).fetch))),
)
