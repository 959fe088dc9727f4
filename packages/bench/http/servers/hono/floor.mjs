import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'

/** Hono and its own JSON parser, without any verification. */
export default function floor(_secret, take) {
  const app = new Hono()
  app.post('/webhooks', async (c) => {
    take(await c.req.json())
    return c.body(null, 204)
  })
  return getRequestListener(app.fetch)
}
