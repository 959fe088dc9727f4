import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { signatureMatches } from '../textbook.mjs'

/** What tutorials show: the bytes by c.req.arrayBuffer(), and the check in the handler. */
export default function handWritten(secret, take) {
  const app = new Hono()
  app.post('/webhooks', async (c) => {
    const body = Buffer.from(await c.req.arrayBuffer())
    const timestamp = c.req.header('x-webhook-timestamp')
    if (!signatureMatches(secret, timestamp, body, c.req.header('x-webhook-signature'))) {
      return c.body(null, 401)
    }
    take(JSON.parse(body.toString()))
    return c.body(null, 204)
  })
  return getRequestListener(app.fetch)
}
