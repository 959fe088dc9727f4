import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { listening } from '@webhook-receiver/conformance'
import { sampleDelivery, signedRequest } from '@webhook-receiver/core/testing'
import {
  type Rejection,
  requireDelivery,
  webhookHandler,
  webhookMiddleware,
} from '@webhook-receiver/hono'
import { type Context, Hono } from 'hono'
import { validator } from 'hono/validator'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const secret = 'whsec_hono'
const quiet = { onRejected: false } as const

/** A delivery, or a request with `body` under its headers. */
async function delivered(body?: string): Promise<Request> {
  const signed = await signedRequest(secret, 'message.received')
  if (body === undefined) return signed
  return new Request(signed.url, { method: 'POST', headers: signed.headers, body })
}

test('sets the delivery and how it was verified', async () => {
  const delivery = sampleDelivery('message.received')
  const app = new Hono()
  app.post('/webhooks', webhookMiddleware({ old: 'whsec_x', current: secret }), (c) =>
    c.json([c.var.delivery, c.var.verification.secretName, requireDelivery(c) === c.var.delivery]),
  )
  const response = await app.request(await signedRequest(secret, delivery))
  expect(await response.json()).toEqual([{ ...delivery, known: true }, 'current', true])
})

describe('the body behind it', () => {
  const servers: Readonly<Record<string, (app: Hono, request: Request) => Promise<Response>>> = {
    'no server': async (app, request) => app.request(request),
    '@hono/node-server': async (app, request) => {
      const { port, close } = await listening(createServer(getRequestListener(app.fetch)))
      onTestFinished(close)
      const { method, headers } = request
      const body = await request.arrayBuffer()
      return fetch(`http://127.0.0.1:${port}/webhooks`, { method, headers, body })
    },
  }

  const echo = async (request: Request) => new Response(await request.text())

  const readers: Readonly<Record<string, (app: Hono) => unknown>> = {
    'a mounted application': (app) => app.mount('/webhooks', echo),
    'a proxy': (app) => app.post('*', (c) => echo(new Request('http://a.test/', c.req.raw))),
    'a clone': (app) => app.post('*', async (c) => echo(c.req.raw.clone())),
    'c.req.text()': (app) => app.post('*', async (c) => c.text(await c.req.text())),
    'another receiver': (app) => app.use(webhookMiddleware(secret)).mount('/webhooks', echo),
    'a validator': (app) => {
      const check = validator('json', (value) => value)
      app.post('*', check, (c) => c.json(c.req.valid('json')))
    },
    'each method, and more than once': (app) => {
      app.post('*', async (c) => {
        const text = await c.req.text()
        const bytes = new Uint8Array(await c.req.arrayBuffer()).fill(0)
        const { size } = await c.req.blob()
        return c.text(size === bytes.length ? JSON.stringify(await c.req.json()) : text.slice(1))
      })
    },
  }

  describe.each(Object.entries(servers))('on %s', (_name, send) => {
    const text = 'é'.repeat(400_000)

    test.each(Object.keys(readers))('is there for %s', async (name) => {
      const app = new Hono()
      app.use(webhookMiddleware(secret))
      readers[name]?.(app)
      const request = await signedRequest(
        secret,
        sampleDelivery('message.sent', { data: { text } }),
      )
      const expected = await request.clone().text()
      const response = await send(app, request)
      expect([response.status, await response.text()]).toEqual([200, expected])
    })

    test('is there where something in front has asked for the Request', async () => {
      const app = new Hono()
      app.use((c, next) => {
        expect(c.req.raw.signal.aborted).toBe(false)
        return next()
      })
      app.use(webhookMiddleware(secret)).mount('/webhooks', echo)
      const request = await signedRequest(
        secret,
        sampleDelivery('message.sent', { data: { text } }),
      )
      const expected = await request.clone().text()
      const response = await send(app, request)
      expect([response.status, await response.text()]).toEqual([200, expected])
    })
  })
})

describe('behind something that read the body', () => {
  test.each(['json', 'text', 'blob'] as const)('as %s: 500 that names it', async (form) => {
    const onRejected = vi.fn<(rejection: Rejection) => void>()
    const app = new Hono()
    app.use(async (c, next) => {
      await c.req[form]()
      await next()
    })
    app.post('/webhooks', webhookMiddleware(secret, { onRejected }), (c) => c.text('let past'))
    expect((await app.request(await delivered())).status).toBe(500)
    const [[rejection] = []] = onRejected.mock.calls
    expect(rejection).toMatchObject({ reason: 'body_already_read', code: 'receiver_error' })
    expect(rejection?.detail).toMatch(
      /read as (json|text|blob) by a validator.* Mount the receiver before it\.$/,
    )
  })

  test('as bytes that Hono keeps: they are verified', async () => {
    const app = new Hono()
    app.use(async (c, next) => {
      await c.req.arrayBuffer()
      await next()
    })
    app.post('/webhooks', webhookMiddleware(secret, quiet), (c) => c.text('done'))
    expect((await app.request(await delivered())).status).toBe(200)
    expect((await app.request(await delivered('{}'))).status).toBe(401)
  })

  test('without Hono’s knowledge: 500', async () => {
    const app = new Hono()
    app.use(async (c, next) => {
      await c.req.raw.text()
      await next()
    })
    app.post('/webhooks', webhookMiddleware(secret, quiet), (c) => c.text('let past'))
    expect((await app.request(await delivered())).status).toBe(500)
  })
})

test('what the handler behind the middleware throws goes to app.onError unchanged', async () => {
  const error = new Error('the database is down')
  const app = new Hono().onError((given, c) => c.text(given === error ? 'mine' : 'other', 418))
  app.post('/webhooks', webhookMiddleware(secret), () => {
    throw error
  })
  const response = await app.request(await delivered())
  expect([response.status, await response.text()]).toEqual([418, 'mine'])
})

describe('forwardErrors', () => {
  test.each([
    ['webhookMiddleware', webhookMiddleware(secret, { ...quiet, forwardErrors: true })],
    ['webhookHandler', webhookHandler(secret, { any() {} }, { ...quiet, forwardErrors: true })],
  ])('brings the errors of %s to app.onError', async (_name, receiver) => {
    const onError = vi.fn((_error: Error, c: Context) => c.text('mine', 418))
    const app = new Hono().onError(onError)
    app.all('/webhooks', receiver)
    expect((await app.request(await delivered('{}'))).status).toBe(418)
    expect((await app.request('/webhooks')).status).toBe(418)
    expect(onError.mock.calls.map(([error]) => error)).toMatchObject([
      { reason: 'signature_mismatch', status: 401 },
      { reason: 'method_not_allowed', status: 405, headers: { Allow: 'POST' } },
    ])
  })

  test('without app.onError, Hono responds as the receiver does', async () => {
    const app = new Hono()
    app.all('/webhooks', webhookMiddleware(secret, { ...quiet, forwardErrors: true }))
    const response = await app.request('/webhooks')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
  })

  test('brings what a handler of webhookHandler throws as the cause of a WebhookError', async () => {
    const cause = new Error('the database is down')
    const onError = vi.fn()
    const onRouteError = vi.fn((_error: Error, c: Context) => c.text('mine', 418))
    const app = new Hono().onError(onRouteError)
    const fail = () => Promise.reject(cause)
    app.post('/webhooks', webhookHandler(secret, fail, { onError, forwardErrors: true }))
    expect((await app.request(await delivered())).status).toBe(418)
    const [[error, context] = []] = onRouteError.mock.calls
    expect(error).toMatchObject({ reason: 'handler_failed', status: 500, cause })
    expect(onError).toHaveBeenCalledExactlyOnceWith(cause, {
      delivery: expect.objectContaining({ event: 'message.received' }),
      request: context,
    })
  })
})

test('a secret function gets the context, with the bindings of the runtime', async () => {
  const app = new Hono<{ Bindings: { WEBHOOK_SECRET: string } }>()
  const middleware = webhookMiddleware((c) => c.env.WEBHOOK_SECRET, quiet)
  app.post('/webhooks', middleware, (c) => c.text('done'))
  const bound = await app.request(await delivered(), undefined, { WEBHOOK_SECRET: secret })
  const other = await app.request(await delivered(), undefined, { WEBHOOK_SECRET: 'whsec_other' })
  const unset = await app.request(await delivered(), undefined, {})
  expect([bound.status, other.status, unset.status]).toEqual([200, 401, 503])
})

test('requireDelivery throws where no receiver is mounted', () => {
  vi.spyOn(console, 'error').mockReturnValueOnce()
  expect(() => requireDelivery({ var: {} })).toThrow(
    expect.objectContaining({ reason: 'delivery_missing', status: 500 }),
  )
})

test.each([
  [undefined, {}, /The secret is undefined: is its environment variable set/],
  [secret, { limit: 'banana' }, /`limit` should be a whole number of bytes/],
  [secret, { forwardErrors: 1 }, /`forwardErrors` should be/],
  [secret, { path: '/webhooks' }, /There is no option "path"/],
])('is a TypeError at start: secret %j with %j', (given, options, message) => {
  expect(() => Reflect.apply(webhookMiddleware, undefined, [given, options])).toThrow(message)
})

test.each([
  ['webhookMiddleware(secret)', webhookMiddleware],
  ['webhookHandler(secret, handlers)', webhookHandler],
])('says what to write where %s was mounted without being called', async (call, mounted) => {
  const onError = vi.fn((_error: Error, c: Context) => c.text('no', 500))
  const app = new Hono().onError(onError)
  // Not by app.use itself: the compiler rejects this.
  Reflect.apply(app.use, app, [mounted])
  app.post('/webhooks', (c) => c.text('the handler ran'))
  expect((await app.request(await delivered())).status).toBe(500)
  const [[error] = []] = onError.mock.calls
  expect(error).toBeInstanceOf(TypeError)
  expect(error?.message).toContain(`mounted without being called: write ${call}, not`)
})
