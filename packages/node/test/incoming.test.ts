import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { serving } from '@webhook-receiver/checks/serving.mjs'
import { createReceiver, type Rejection, WebhookError } from '@webhook-receiver/core'
import { captureRawBody } from '@webhook-receiver/node'
import { incomingReceiver } from '@webhook-receiver/node/adapter'
import { signedPost } from '@webhook-receiver/suites'
import rawBody from 'raw-body'
import { expect, test, vi } from 'vitest'

const secret = 'whsec_incoming'

/** A receiver on a bare server; `prepare` is what stands in front of it. */
async function start(
  prepare: (req: IncomingMessage, res: ServerResponse) => void | Promise<void> = () => {},
  middleware: () => string[] = () => [],
  address?: () => string | undefined,
) {
  const rejections: Rejection[] = []
  const receiver = createReceiver<IncomingMessage>(secret, {
    limit: 100_000,
    onRejected: (rejection) => void rejections.push(rejection),
  })
  const outcomes: unknown[] = []
  const url = await serving(async (req, res) => {
    await prepare(req, res)
    try {
      const framework = { middleware, ...(address && { address }), advice: 'ADVICE.' }
      const received = await incomingReceiver(receiver, framework)(req, res, req)
      outcomes.push(received === undefined ? 'responded' : received.delivery.event)
      if (received && !res.headersSent) res.writeHead(204).end()
    } catch (error) {
      outcomes.push(error)
      if (error instanceof WebhookError && !res.headersSent) {
        res.writeHead(error.status).end('native')
      }
    }
  })
  return { rejections, outcomes, url }
}

const signed = () => signedPost(secret)

test.each([
  ['req.rawBody', (req: IncomingMessage, bytes: Buffer) => captureRawBody(req, undefined, bytes)],
  [
    'a Buffer in req.body',
    (req: IncomingMessage, bytes: Buffer) => Object.assign(req, { body: bytes }),
  ],
  [
    'the verification of an earlier receiver',
    (req: IncomingMessage, rawBody: Buffer) => Object.assign(req, { verification: { rawBody } }),
  ],
])('uses bytes kept as %s', async (_name, keep) => {
  const { url } = await start(async (req) => void keep(req, await rawBody(req)))
  expect((await fetch(url, await signed())).status).toBe(204)
  const forged = { ...(await signed()), body: '{}' }
  expect((await fetch(url, forged)).status).toBe(401)
})

test('uses kept bytes where Buffer is a Uint8Array of another realm, as with jsdom', async () => {
  vi.stubGlobal('Uint8Array', class extends Uint8Array {})
  const { url } = await start(async (req) => captureRawBody(req, undefined, await rawBody(req)))
  expect((await fetch(url, await signed())).status).toBe(204)
})

test('holds kept bytes to the limit', async () => {
  const { url, rejections } = await start(async (req) => {
    captureRawBody(req, undefined, Buffer.concat([await rawBody(req), Buffer.alloc(100_000)]))
  })
  expect((await fetch(url, await signed())).status).toBe(413)
  expect(rejections[0]?.reason).toBe('body_too_large')
})

test.each([
  ['text', 'rawBody', ['query', 'jsonParser', 'logger', 'jsonParser'], 'jsonParser'],
  [
    'a parsed value',
    'body',
    ['jsonParser', 'bodyParser', 'jsonParser'],
    'jsonParser or bodyParser',
  ],
  ['nothing', 'other', [], undefined],
])('does not take %s for the bytes, and says who read them', async (what, name, names, guess) => {
  const { url, rejections, outcomes } = await start(
    async (req) => {
      await rawBody(req)
      Object.assign(req, { [name]: what === 'text' ? what : {} })
    },
    () => names,
  )
  expect((await fetch(url, await signed())).status).toBe(500)
  expect(outcomes).toMatchObject([{ reason: 'body_already_read', code: 'receiver_error' }])
  const by = guess ? `by a middleware, probably ${guess}` : 'before the receiver got it'
  expect(rejections[0]?.detail).toBe(`The body was read ${by}. ADVICE.`)
})

test('a response in front, for which Node throws the body away, is named', async () => {
  const { url, rejections } = await start(async (_req, res) => {
    res.writeHead(503).end()
    await once(res, 'close')
  })
  expect((await fetch(url, await signed())).status).toBe(503)
  await expect.poll(() => rejections[0]?.reason).toBe('body_already_read')
  expect(rejections[0]?.detail).toMatch(/by nobody\. Something in front, .*, has responded/)
})

test('setEncoding while the body is read is named, and corrupts nothing', async () => {
  const { headers, body } = await signed()
  const { url, rejections, outcomes } = await start((req) => {
    setImmediate(() => {
      // The receiver listens already, and gets the first part as bytes.
      req.once('data', () => {
        req.setEncoding('utf8')
        sent.end(body.subarray(10))
      })
      sent.write(body.subarray(0, 10))
    })
  })
  const sent = request(url, { method: 'POST', headers })
  sent.flushHeaders()
  const [response] = await once(sent, 'response')
  response.resume()
  expect(response.statusCode).toBe(500)
  expect(outcomes).toMatchObject([{ reason: 'body_already_read', code: 'receiver_error' }])
  expect(rejections[0]?.detail).toMatch(/setEncoding.* Mount the receiver before it\.$/)
})

/** Not said of the sender. */
const OURS = ['body_already_read', 'paused'] as const

test.each<[string, (req: IncomingMessage) => void, reason: string, detail: string]>([
  ['a listener for `readable`', (req) => void req.on('readable', () => {}), ...OURS],
  ['a pause', (req) => void setImmediate(() => req.pause()), ...OURS],
  ['nothing', () => {}, 'body_incomplete', '1 byte'],
])('where %s holds back a body, its sender gives up: %o %s', async (_, prepare, reason, detail) => {
  const { headers } = await signed()
  const { url, rejections } = await start(prepare)
  const sent = request(url, { method: 'POST', headers: { ...headers, 'Content-Length': 100 } })
  sent.on('error', () => {})
  sent.write('{', () => setTimeout(() => sent.destroy(), 50))
  await expect.poll(() => rejections[0]?.reason).toBe(reason)
  expect(rejections[0]?.detail).toContain(detail)
})

test.each([
  ['sent', 'end'],
  ['began', 'write'],
] as const)(
  'a response that the application %s in the meantime is left as it is',
  async (_, act) => {
    const print = vi.spyOn(console, 'error').mockReturnValue()
    const { url, outcomes } = await start((_req, res) => {
      res.writeHead(408)[act]('from the application')
    })
    const response = await fetch(url, { method: 'POST', body: 'x'.repeat(200_000) })
    expect(response.status).toBe(408)
    await expect.poll(() => outcomes).toEqual(['responded'])
    const { value } = (await response.body?.getReader().read()) ?? {}
    expect(Buffer.from(value ?? []).toString()).toBe('from the application')
    expect(print).not.toHaveBeenCalled()
  },
)

test.each([
  ['the framework’s own', () => '203.0.113.9', /^203\.0\.113\.9$/],
  ['the connection’s where the framework has none', () => undefined, /127\.0\.0\.1$/],
  ['the connection’s in place of a terminal escape', () => '\u009b31m', /127\.0\.0\.1$/],
  ['the connection’s in place of a long text', () => '1'.repeat(65), /127\.0\.0\.1$/],
  ['the connection’s where the framework fails', () => fail(), /127\.0\.0\.1$/],
])('the operator sees the address %s', async (_, address, seen) => {
  const { url, rejections } = await start(undefined, undefined, address)
  await fetch(url, { method: 'POST' })
  expect(rejections).toMatchObject([{ remote: { address: expect.stringMatching(seen) } }])
})

function fail(): never {
  throw new Error('the socket is gone')
}

test('a header that comes as a list, as some emulations of a server have it, is none', async () => {
  const { headers, body } = await signed()
  const lists = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])
  const req = {
    method: 'POST',
    headers: Object.fromEntries(lists),
    rawBody: body,
    readableEnded: true,
  }
  const receiver = createReceiver<unknown>(secret, { onRejected: false })
  const receive = incomingReceiver(receiver, { advice: '' })
  const received: Promise<unknown> = Reflect.apply(receive, undefined, [req, {}, undefined])
  await expect(received).rejects.toMatchObject({ status: 401, reason: 'signature_missing' })
})
