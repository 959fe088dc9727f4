import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { bodyParser } from '@koa/bodyparser'
import { listening } from '@webhook-receiver/conformance'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import {
  deliveryHandler,
  type Rejection,
  requireDelivery,
  WebhookError,
  webhookMiddleware,
} from '@webhook-receiver/koa'
import Koa from 'koa'
import request from 'supertest'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const secret = 'whsec_koa'

async function post(app: Koa, path = '/webhooks', body?: string, key = secret) {
  const delivery = sampleDelivery('message.received')
  const signed = await signDelivery(key, delivery)
  const answer = await request(app.callback())
    .post(path)
    .set(signed.headers)
    .serialize((bytes) => bytes)
    .send(body ?? Buffer.from(signed.body))
  return { delivery, answer, status: answer.status }
}

function quiet(): Koa {
  const app = new Koa()
  app.silent = true
  return app
}

test('sets the delivery and how it was verified on the state', async () => {
  const app = quiet()
  app.use(webhookMiddleware({ old: 'whsec_x', current: secret }))
  app.use((ctx) => {
    const { delivery, verification } = ctx.state
    ctx.body = { delivery, name: verification.secretName, same: requireDelivery(ctx) === delivery }
  })
  const { answer, delivery } = await post(app)
  expect(answer.body).toEqual({
    delivery: { ...delivery, known: true },
    name: 'current',
    same: true,
  })
})

test('leaves the routes outside its path, and their bodies, alone', async () => {
  const app = quiet()
  app.use(webhookMiddleware(secret, { path: '/webhooks' })).use(bodyParser())
  app.use((ctx) => {
    ctx.body = { body: ctx.request.body, delivery: ctx.state.delivery ?? null }
  })
  const answer = await request(app.callback()).post('/api').send({ a: 1 })
  expect(answer.body).toEqual({ body: { a: 1 }, delivery: null })
})

test('refuses an unsigned request whose target no URL parser takes, instead of failing', async () => {
  const app = quiet()
  app.use(webhookMiddleware(secret, { path: '/webhooks', onRejected: false }))
  const { port, close } = await listening(createServer(app.callback()))
  onTestFinished(close)
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let seen = ''
  socket.on('data', (data) => {
    seen += data
  })
  socket.write('POST http://[::1/webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')
  await expect.poll(() => seen).toMatch(/^HTTP\/1\.1 401 /)
})

test.each(['/webhooks', '/webhooks/', '/WebHooks', '/%77ebhooks', '/webhooks/sub', '//webhooks'])(
  'its path never fails open: %s',
  async (path) => {
    const app = quiet()
    app.use(webhookMiddleware(secret, { path: '/webhooks', onRejected: false }))
    app.use((ctx) => {
      ctx.status = ctx.state.delivery ? 204 : 299
    })
    expect((await post(app, path, '{}')).status).toBe(401)
    expect((await post(app, path)).status).toBe(204)
  },
)

test('behind a body parser: 500 that names it, although it kept the body as text', async () => {
  const rejections: Rejection[] = []
  const app = quiet()
  app.use(bodyParser())
  app.use(webhookMiddleware(secret, { onRejected: (rejection) => void rejections.push(rejection) }))
  expect((await post(app)).status).toBe(500)
  expect(rejections).toMatchObject([{ reason: 'body_already_read', status: 500 }])
  expect(rejections[0]?.detail).toMatch(/probably bodyParser.* Mount webhookMiddleware before/)
})

test('bytes that another middleware kept are verified', async () => {
  const app = quiet()
  app.use(async (ctx, next) => {
    const chunks: Buffer[] = []
    for await (const chunk of ctx.req) chunks.push(chunk)
    Object.assign(ctx.request, { rawBody: Buffer.concat(chunks) })
    return next()
  })
  app.use(webhookMiddleware(secret, { onRejected: false }))
  app.use((ctx) => {
    ctx.status = 204
  })
  expect((await post(app)).status).toBe(204)
  expect((await post(app, '/webhooks', '{}')).status).toBe(401)
})

test('a refusal travels Koa’s own way: to the middleware in front, with its status and headers', async () => {
  const errors: unknown[] = []
  const app = quiet()
  app.use(async (_ctx, next) => {
    try {
      await next()
    } catch (error) {
      errors.push(error)
      throw error
    }
  })
  app.use(webhookMiddleware(secret, { onRejected: false }))
  const answer = await request(app.callback()).get('/')
  expect([answer.status, answer.headers.allow, answer.text]).toEqual([
    405,
    'POST',
    'method not allowed',
  ])
  expect(errors).toMatchObject([{ reason: 'method_not_allowed', status: 405, expose: true }])
})

test('a secret function gets the context', async () => {
  const app = quiet()
  app.use(webhookMiddleware((ctx) => `whsec_${ctx.query.tenant}`, { onRejected: false }))
  app.use((ctx) => {
    ctx.status = 204
  })
  expect((await post(app, '/?tenant=acme', undefined, 'whsec_acme')).status).toBe(204)
  expect((await post(app, '/?tenant=other', undefined, 'whsec_acme')).status).toBe(401)
})

test('requireDelivery throws where no receiver stands in front', () => {
  expect(() => requireDelivery({ state: {} })).toThrow(
    expect.objectContaining({ reason: 'delivery_missing', status: 500 }),
  )
})

describe('a chunked body over the limit', () => {
  test('is answered 413, and the next request on the connection is not left hanging', async () => {
    const app = quiet()
    app.use(webhookMiddleware(secret, { limit: 1000, onRejected: false }))
    const { port, close } = await listening(createServer(app.callback()))
    onTestFinished(close)
    const { headers } = await signDelivery(secret, 'message.read')
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `POST / HTTP/1.1\r\nHost: x\r\n${lines.join('')}Transfer-Encoding: chunked\r\n\r\n`
    const socket = connect(port, '127.0.0.1')
    let seen = ''
    socket.on('data', (data) => {
      seen += data
    })
    const closed = new Promise((resolve) => socket.on('close', () => resolve('closed')))
    socket.write(`${head}5dc\r\n${'x'.repeat(1500)}\r\n0\r\n\r\n`)
    await expect.poll(() => seen).toMatch(/^HTTP\/1\.1 413 /)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const second = expect.poll(() => seen.match(/HTTP\/1\.1 405 /)).toBeTruthy()
    await Promise.race([closed, second])
  })
})

test('a refused body over the limit is answered by the middleware, and what is behind it rests', async () => {
  const app = quiet()
  const [behind, failed] = [vi.fn(), vi.fn()]
  app.on('error', failed)
  app.use(webhookMiddleware(secret, { limit: 1000, onRejected: false }))
  app.use(behind)
  const { port, close } = await listening(createServer(app.callback()))
  onTestFinished(close)
  const { headers } = await signDelivery(secret, 'message.read')
  const body = Buffer.alloc(2_000_000)
  const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })
  expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close'])
  expect(await answer.json()).toMatchObject({ code: 'body_too_large' })
  expect(behind).not.toHaveBeenCalled()
  expect(failed).not.toHaveBeenCalled()
})

test('refuses an unsigned request over HTTP/2 whose path ends in a space that url.parse removes', async () => {
  const app = quiet()
  const handled = vi.fn()
  app.use(webhookMiddleware(secret, { path: '/webhooks', onRejected: false }))
  app.use((ctx) => {
    if (ctx.path === '/webhooks') handled()
  })
  const server = createHttp2Server(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const session = connectHttp2(`http://127.0.0.1:${port}`)
  onTestFinished(async () => {
    session.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const stream = session.request({ ':method': 'POST', ':path': '/webhooks\u00a0' }).end()
  const [headers] = await once(stream, 'response')
  expect([headers[':status'], handled.mock.calls.length]).toEqual([401, 0])
})

test.each([
  ['webhookMiddleware(secret)', () => [webhookMiddleware]],
  ['deliveryHandler({ … })', () => [webhookMiddleware(secret), deliveryHandler]],
])('says what to write where %s was mounted without being called', async (call, mounted) => {
  const errors: unknown[] = []
  const app = new Koa()
  app.on('error', (error) => errors.push(error))
  // Not by app.use itself: the compiler refuses this.
  for (const middleware of mounted()) Reflect.apply(app.use, app, [middleware])
  app.use((ctx) => {
    ctx.body = 'the handler ran'
  })
  const { answer } = await post(app)
  expect([answer.status, answer.text]).toEqual([500, 'Internal Server Error'])
  const [error] = errors
  // What deliveryHandler throws is what a handler throws.
  const thrown = error instanceof WebhookError ? error.cause : error
  expect([errors.length, thrown]).toEqual([1, expect.any(TypeError)])
  expect(String(thrown)).toContain(`mounted without being called: write ${call}, not`)
})

test.each([
  [false, /127\.0\.0\.1$/],
  [true, /^203\.0\.113\.9$/],
])('goes by X-Forwarded-For where app.proxy is set: %s', async (proxy, address) => {
  const rejections: Rejection[] = []
  const app = quiet()
  app.proxy = proxy
  app.use(webhookMiddleware(secret, { onRejected: (rejection) => void rejections.push(rejection) }))
  await request(app.callback()).post('/webhooks').set('X-Forwarded-For', '203.0.113.9')
  expect(rejections).toMatchObject([{ remote: { address: expect.stringMatching(address) } }])
})
