import { once } from 'node:events'
import { connect, createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { signDelivery } from '@webhook-receiver/core/testing'
import { type WebhookMiddlewareOptions, webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'

const SECRET = 'whsec_http2'
const { headers } = await signDelivery(SECRET, 'message.received')

const CASES: readonly (readonly [string, number, WebhookMiddlewareOptions, object, string])[] = [
  ['a body that does not end', 408, { bodyTimeout: 0.1 }, headers, '{'],
  ['a body that is too large', 413, { limit: 10 }, headers, 'x'.repeat(20)],
  ['a request without a signature', 401, {}, {}, '{'],
]

test.each(CASES)(
  '%s: %i over HTTP/2, and its stream does not stay open',
  async (_, status, options, sent, text) => {
    const app = new Hono()
    app.post('/', webhookMiddleware(SECRET, { onRejected: false, ...options }), (c) =>
      c.body(null, 204),
    )
    const open = new Set<ServerHttp2Stream>()
    const server = createServer(getRequestListener(app.fetch))
    server.on('stream', (stream) => {
      open.add(stream)
      stream.on('close', () => open.delete(stream))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onTestFinished(() => {
      client.destroy()
      server.close()
    })
    const request = client.request({ ':method': 'POST', ':path': '/', ...sent })
    request.on('error', () => {})
    // The sender never ends its body.
    request.write(text)
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    const [response] = await once(request, 'response')
    expect(response[':status']).toBe(status)
    await expect.poll(() => open.size).toBe(0)
    expect(JSON.parse(Buffer.concat(chunks).toString())).toHaveProperty('code')
  },
)
