import { once } from 'node:events'
import { connect, createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { signDelivery } from '@webhook-receiver/core/testing'
import { type NodeHandlerOptions, webhookHandler } from '@webhook-receiver/node'
import { expect, onTestFinished, test, vi } from 'vitest'

const SECRET = 'whsec_http2'

/** A receiver over HTTP/2, one connection to it, and the streams that it has open. */
async function start(options: NodeHandlerOptions) {
  const open = new Set<ServerHttp2Stream>()
  // Only its shape is another; frameworks hand such requests over as well.
  const handler = webhookHandler(SECRET, () => {}, { onRejected: false, ...options })
  const server = createServer(handler as object as Parameters<typeof createServer>[0])
  server.on('stream', (stream) => {
    open.add(stream)
    stream.on('close', () => open.delete(stream))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  client.on('error', () => {})
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  return { open, client }
}

const { headers, body } = await signDelivery(SECRET, 'message.received')
const forged = { ...headers, 'x-webhook-signature': `sha256=${'ab'.repeat(32)}` }

const CASES: readonly (readonly [string, number, NodeHandlerOptions, object, string])[] = [
  ['a body that does not end', 408, { bodyTimeout: 0.1 }, headers, '{'],
  ['a body that is too large', 413, { limit: 10 }, headers, 'x'.repeat(20)],
  ['a body that announces too much', 413, { limit: 10 }, { ...headers, 'content-length': 20 }, ''],
  ['a request without a signature', 401, {}, {}, '{'],
  ['a signature that is malformed', 401, {}, { ...forged, 'x-webhook-signature': 'no' }, '{'],
  ['another path', 404, { path: '/elsewhere' }, headers, '{'],
]

test.each(CASES)(
  '%s gets %i, and its stream does not stay open',
  async (_, status, options, sent, text) => {
    vi.spyOn(process, 'emitWarning').mockReturnValue()
    const { open, client } = await start(options)
    const request = client.request({ ':method': 'POST', ':path': '/', ...sent })
    request.on('error', () => {})
    // The sender never ends its body.
    if (text !== '') request.write(text)
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    const [response] = await once(request, 'response')
    expect(response[':status']).toBe(status)
    await vi.waitFor(() => expect(open.size).toBe(0), { timeout: 120_000 })
    const whole = Buffer.concat(chunks).toString()
    if (status !== 404) expect(JSON.parse(whole)).toHaveProperty('code')
  },
)

test('a valid delivery on the same connection is accepted after a rejection', async () => {
  vi.spyOn(process, 'emitWarning').mockReturnValue()
  const { client } = await start({ bodyTimeout: 0.1 })
  const slow = client.request({ ':method': 'POST', ':path': '/', ...headers })
  slow.on('error', () => {})
  slow.write('{')
  await once(slow, 'response')
  await sleep(10)
  const valid = client.request({ ':method': 'POST', ':path': '/', ...headers })
  valid.end(body)
  const [response] = await once(valid, 'response')
  expect(response[':status']).toBe(204)
})
