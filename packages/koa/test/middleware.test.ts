import { createServer } from 'node:http'
import { connect } from 'node:net'
import { bodyParser } from '@koa/bodyparser'
import { listening } from '@webhook-receiver/conformance'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import {
  type Rejection,
  requireDelivery,
  WebhookError,
  webhookHandler,
  webhookMiddleware,
} from '@webhook-receiver/koa'
import Koa from 'koa'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const secret = 'whsec_koa'
const quiet = { onRejected: false } as const

/** An application that prints nothing. */
function application(): Koa {
  const app = new Koa()
  app.silent = true
  return app
}

async function start(app: Koa): Promise<number> {
  const { port, close } = await listening(createServer(app.callback()))
  onTestFinished(close)
  return port
}

async function send(app: Koa, path: string, init: RequestInit): Promise<Response> {
  return fetch(`http://127.0.0.1:${await start(app)}${path}`, init)
}

/** Sends a delivery, or `body` under its headers. */
async function post(app: Koa, path = '/webhooks', body?: string, key = secret) {
  const delivery = sampleDelivery('message.received')
  const signed = await signDelivery(key, delivery)
  const init = { method: 'POST', headers: signed.headers, body: body ?? signed.body }
  const response = await send(app, path, init)
  return { delivery, response, status: response.status }
}

/** A middleware in front, as applications have it for their errors. */
function errorMiddleware() {
  const errors: unknown[] = []
  const middleware: Koa.Middleware = async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      errors.push(error)
      ctx.status = 418
    }
  }
  return { errors, middleware }
}

test('two receivers in a row verify the same bytes', async () => {
  const app = application().use(webhookMiddleware(secret))
  app.use(webhookHandler(secret, { any() {} }, { path: '/webhooks' }))
  expect((await post(app)).status).toBe(204)
})

test('sets the delivery and how it was verified on the state', async () => {
  const app = application()
  app.use(webhookMiddleware({ old: 'whsec_x', current: secret })).use((ctx) => {
    const { delivery, verification } = ctx.state
    ctx.body = [delivery, verification.secretName, requireDelivery(ctx) === delivery]
  })
  const { response, delivery } = await post(app)
  expect(await response.json()).toEqual([{ ...delivery, known: true }, 'current', true])
})

describe('the path of webhookHandler', () => {
  function withPath() {
    const work = vi.fn()
    const app = application().use(webhookHandler(secret, work, { path: '/webhooks', ...quiet }))
    app.use(bodyParser()).use((ctx) => {
      ctx.body = { body: ctx.request.body ?? null, delivery: ctx.state.delivery ?? null }
    })
    return { app, work }
  }

  test('is exactly ctx.path, with any query', async () => {
    const { app, work } = withPath()
    expect((await post(app, '/webhooks?a=1')).status).toBe(204)
    expect((await post(app, '/webhooks', '{}')).status).toBe(401)
    expect(work).toHaveBeenCalledOnce()
  })

  test.each(['/webhooks/', '/WebHooks', '/%77ebhooks', '/webhooks/sub', '//webhooks', '/'])(
    'leaves %s, and its body, to the next middleware',
    async (path) => {
      const { app, work } = withPath()
      const { response } = await post(app, path, '{"a":1}')
      expect(await response.json()).toEqual({ body: { a: 1 }, delivery: null })
      expect(work).not.toHaveBeenCalled()
    },
  )

  test('a target that no URL parser takes runs nothing', async () => {
    const { app, work } = withPath()
    const socket = connect(await start(app), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let seen = ''
    socket.on('data', (data) => {
      seen += data
    })
    socket.write('POST http://[::1/webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')
    await expect.poll(() => seen).toMatch(/^HTTP\/1\.1 [45]\d\d /)
    expect(work).not.toHaveBeenCalled()
  })
})

test('behind a body parser: 500 that names it, although it kept the body as text', async () => {
  const onRejected = vi.fn<(rejection: Rejection) => void>()
  const app = application()
  app.use(bodyParser()).use(webhookHandler(secret, { any() {} }, { onRejected }))
  expect((await post(app)).status).toBe(500)
  const [[rejection] = []] = onRejected.mock.calls
  expect(rejection).toMatchObject({ reason: 'body_already_read', status: 500 })
  expect(rejection?.detail).toMatch(/probably bodyParser.* Mount the receiver before/)
})

test('bytes that another middleware kept are verified', async () => {
  const app = application()
  app.use(async (ctx, next) => {
    const chunks: Buffer[] = []
    for await (const chunk of ctx.req) chunks.push(chunk)
    Object.assign(ctx.request, { rawBody: Buffer.concat(chunks) })
    return next()
  })
  app.use(webhookHandler(secret, { any() {} }, quiet))
  expect((await post(app)).status).toBe(204)
  expect((await post(app, '/webhooks', '{}')).status).toBe(401)
})

test('what the middleware behind it throws goes to those in front unchanged', async () => {
  const error = Object.assign(new Error('the database is down'), { status: 404 })
  const { errors, middleware } = errorMiddleware()
  const app = application().use(middleware).use(webhookMiddleware(secret))
  app.use(() => Promise.reject(error))
  expect((await post(app)).status).toBe(418)
  expect(errors).toEqual([error])
})

describe('forwardErrors', () => {
  const forward = { ...quiet, forwardErrors: true }

  test.each([
    ['webhookMiddleware', webhookMiddleware(secret, forward)],
    ['webhookHandler', webhookHandler(secret, { any() {} }, forward)],
  ])('throws the rejections of %s, for the middleware in front', async (_name, receiver) => {
    const { errors, middleware } = errorMiddleware()
    const app = application().use(middleware)
    Reflect.apply(app.use, app, [receiver])
    expect((await post(app, '/', '{}')).status).toBe(418)
    expect((await send(app, '/', {})).status).toBe(418)
    expect(errors).toMatchObject([
      { reason: 'signature_mismatch', status: 401, expose: true },
      { reason: 'method_not_allowed', status: 405, headers: { Allow: 'POST' } },
    ])
  })

  test('without one, Koa responds with the status, the headers and the message', async () => {
    const app = application().use(webhookMiddleware(secret, forward))
    const response = await send(app, '/', {})
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([
      405,
      'POST',
      'method not allowed',
    ])
  })

  test('throws what a handler of webhookHandler throws as the cause of a WebhookError', async () => {
    const cause = new Error('the database is down')
    const onError = vi.fn()
    const { errors, middleware } = errorMiddleware()
    const fail = () => Promise.reject(cause)
    const options = { onError, forwardErrors: true }
    const app = application()
      .use(middleware)
      .use(webhookHandler(secret, fail, options))
    expect((await post(app)).status).toBe(418)
    expect(onError).toHaveBeenCalledExactlyOnceWith(cause, {
      delivery: expect.objectContaining({ event: 'message.received' }),
      request: expect.objectContaining({ app }),
    })
    expect(errors).toEqual([expect.any(WebhookError)])
    expect(errors).toMatchObject([{ reason: 'handler_failed', status: 500, cause }])
  })

  test('does not throw for a body over the limit, and runs nothing behind', async () => {
    const { errors, middleware } = errorMiddleware()
    const behind = vi.fn()
    const app = application().use(middleware)
    app.use(webhookMiddleware(secret, { ...forward, limit: 10 })).use(behind)
    const { response } = await post(app)
    expect([response.status, response.headers.get('connection')]).toEqual([413, 'close'])
    expect(await response.json()).toMatchObject({ code: 'body_too_large' })
    expect([errors, behind.mock.calls]).toEqual([[], []])
  })
})

test('a secret function that rejects does not let Koa print each request', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => print.mockRestore())
  const source = () => Promise.reject(new Error('no such tenant'))
  const app = new Koa().use(webhookHandler(source, { any() {} }, quiet))
  expect((await post(app)).status).toBe(503)
  expect(print).not.toHaveBeenCalled()
})

test('a secret function gets the context', async () => {
  const source = (ctx: Koa.Context) => `whsec_${ctx.query.tenant}`
  const app = application().use(webhookHandler(source, { any() {} }, quiet))
  expect((await post(app, '/?tenant=acme', undefined, 'whsec_acme')).status).toBe(204)
  expect((await post(app, '/?tenant=other', undefined, 'whsec_acme')).status).toBe(401)
})

test('requireDelivery throws where no receiver is mounted', () => {
  vi.spyOn(console, 'error').mockReturnValueOnce()
  expect(() => requireDelivery({ state: {} })).toThrow(
    expect.objectContaining({ reason: 'delivery_missing', status: 500 }),
  )
})

test('a chunked body over the limit does not leave the next request on the connection hanging', async () => {
  const app = application().use(webhookMiddleware(secret, { limit: 1000, ...quiet }))
  const socket = connect(await start(app), '127.0.0.1')
  const { headers } = await signDelivery(secret, 'message.read')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `POST / HTTP/1.1\r\nHost: x\r\n${lines.join('')}Transfer-Encoding: chunked\r\n\r\n`
  let seen = ''
  socket.on('data', (data) => {
    seen += data
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(`${head}5dc\r\n${'x'.repeat(1500)}\r\n0\r\n\r\n`)
  await expect.poll(() => seen).toMatch(/^HTTP\/1\.1 413 /)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const second = expect.poll(() => seen).toMatch(/HTTP\/1\.1 405 /)
  await Promise.race([closed, second])
})

test.each([
  [undefined, {}, /The secret is undefined: is its environment variable set/],
  [secret, { limit: 'banana' }, /`limit` should be a whole number of bytes/],
  [secret, { forwardErrors: 1 }, /`forwardErrors` should be/],
  [secret, { path: 'webhooks' }, /`path` should be a path without a query, such as '\/webhooks'/],
])('is a TypeError at start: secret %j with %j', (given, options, message) => {
  const create = () => Reflect.apply(webhookHandler, undefined, [given, { any() {} }, options])
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})

test.each([
  ['webhookMiddleware(secret)', webhookMiddleware],
  ['webhookHandler(secret, handlers)', webhookHandler],
])('says what to write where %s was mounted without being called', async (call, mounted) => {
  const { errors, middleware } = errorMiddleware()
  const app = application().use(middleware)
  // Not by app.use itself: the compiler rejects this.
  Reflect.apply(app.use, app, [mounted])
  expect((await post(app)).status).toBe(418)
  expect(errors).toEqual([expect.any(TypeError)])
  expect(String(errors[0])).toContain(`mounted without being called: write ${call}, not`)
})

test.each([
  [false, /127\.0\.0\.1$/],
  [true, /^203\.0\.113\.9$/],
])('goes by X-Forwarded-For where app.proxy is set: %s', async (proxy, address) => {
  const onRejected = vi.fn<(rejection: Rejection) => void>()
  const app = application().use(webhookMiddleware(secret, { onRejected }))
  app.proxy = proxy
  await send(app, '/', { method: 'POST', headers: { 'X-Forwarded-For': '203.0.113.9' } })
  expect(onRejected.mock.calls).toMatchObject([
    [{ remote: { address: expect.stringMatching(address) } }],
  ])
})
