import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import {
  captureRawBody,
  type Rejection,
  requireDelivery,
  WebhookError,
  webhookHandler,
  webhookMiddleware,
} from '@webhook-receiver/express'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'

const secret = 'whsec_express'
const quiet = { onRejected: false } as const

/** An application whose default error handler prints nothing. */
function application(): Express {
  return express().set('env', 'test')
}

async function send(app: Express, path: string, init: RequestInit): Promise<Response> {
  const { port, close } = await listening(createServer(app))
  onTestFinished(close)
  return fetch(`http://127.0.0.1:${port}${path}`, init)
}

/** Sends a delivery, or `body` under its headers. */
async function post(app: Express, path = '/webhooks', body?: string, key = secret) {
  const delivery = sampleDelivery('message.received')
  const signed = await signDelivery(key, delivery)
  const init = { method: 'POST', headers: signed.headers, body: body ?? signed.body }
  const response = await send(app, path, init)
  return { delivery, response, status: response.status }
}

/** Collects what reaches the error handlers. */
function errorHandler() {
  const errors: unknown[] = []
  const handler: ErrorRequestHandler = (error, _req, res, _next) => {
    errors.push(error)
    res.status(418).end('mine')
  }
  return { errors, handler }
}

test('attaches the delivery, how it was verified, and the delivery as the body', async () => {
  const seen: unknown[] = []
  const app = application()
  app.post('/webhooks', webhookMiddleware({ old: 'whsec_x', current: secret }), (req, res) => {
    seen.push(req.delivery, req.body === req.delivery, req.verification.secretName)
    seen.push(requireDelivery(req) === req.delivery)
    res.sendStatus(204)
  })
  const { delivery, status } = await post(app)
  expect(status).toBe(204)
  expect(seen).toEqual([{ ...delivery, known: true }, true, 'current', true])
})

test('protects all that is mounted behind it, on a path too, and nothing else', async () => {
  const app = application().use('/hooks', webhookMiddleware(secret, quiet))
  app.use((req, res) => void res.status(req.delivery ? 204 : 299).end())
  expect((await post(app, '/hooks/any', '{}')).status).toBe(401)
  expect((await post(app, '/HOOKS')).status).toBe(204)
  expect((await post(app, '/other', '{}')).status).toBe(299)
})

test('express.json() behind it leaves the body as it is', async () => {
  const app = application()
  app.use(webhookMiddleware(secret), express.json(), express.urlencoded())
  app.post('/webhooks', (req, res) => {
    // By `_body`, the parsers of Express 4 know that the body was read.
    const isRead = Reflect.get(req, '_body') === true
    res.status(isRead && req.body === req.delivery ? 204 : 500).end()
  })
  expect((await post(app)).status).toBe(204)
})

describe('behind a parser', () => {
  const json = express.json()
  const receiver = (onRejected: (rejection: Rejection) => void) =>
    webhookMiddleware(secret, { onRejected })

  test.each<[string, (app: Express, middleware: RequestHandler) => unknown]>([
    ['jsonParser', (app, receiver) => app.use(json).post('/webhooks', receiver)],
    ['jsonParser', (app, receiver) => app.post('/webhooks', json, receiver)],
    ['jsonParser', (app, receiver) => app.use(json).use(receiver)],
    ['urlencodedParser', (app, receiver) => app.use(express.urlencoded({ type: '*/*' }), receiver)],
    ['textParser', (app, receiver) => app.use(express.text({ type: '*/*' }), receiver)],
  ])('%s: 500 that names it (%#)', async (name, mount) => {
    const onRejected = vi.fn()
    const app = application()
    mount(app, receiver(onRejected))
    expect((await post(app)).status).toBe(500)
    const [[rejection] = []] = onRejected.mock.calls
    expect(rejection).toMatchObject({ reason: 'body_already_read', code: 'receiver_error' })
    expect(rejection.detail).toContain(`probably ${name}`)
    expect(rejection.detail).toContain('express.json({ verify: captureRawBody })')
  })

  test.each([
    ['express.raw()', express.raw({ type: '*/*' })],
    ['express.json({ verify: captureRawBody })', express.json({ verify: captureRawBody })],
  ])('%s keeps the bytes: they are verified', async (_name, parser) => {
    const work = vi.fn()
    const app = application().use(parser)
    app.post('/webhooks', webhookHandler(secret, { 'message.received': work }, quiet))
    expect((await post(app)).status).toBe(204)
    expect((await post(app, '/webhooks', '{}')).status).toBe(401)
    expect(work).toHaveBeenCalledOnce()
  })
})

test('what the handler behind the middleware throws goes to the error handler unchanged', async () => {
  const error = Object.assign(new Error('the database is down'), { status: 404 })
  const { errors, handler } = errorHandler()
  const app = application()
  const fail = () => {
    throw error
  }
  app.post('/webhooks', webhookMiddleware(secret), fail).use(handler)
  const { response } = await post(app)
  expect([response.status, await response.text(), errors]).toEqual([418, 'mine', [error]])
})

describe('forwardErrors', () => {
  const forward = { ...quiet, forwardErrors: true }

  test.each([
    ['webhookMiddleware', webhookMiddleware(secret, forward)],
    ['webhookHandler', webhookHandler(secret, { any() {} }, forward)],
  ])('brings the rejections of %s to the error handler', async (_name, receiver) => {
    const { errors, handler } = errorHandler()
    const app = application().use(receiver, handler)
    expect((await post(app, '/', '{}')).status).toBe(418)
    expect((await send(app, '/', {})).status).toBe(418)
    expect(errors).toMatchObject([
      { reason: 'signature_mismatch', status: 401 },
      { reason: 'method_not_allowed', status: 405, headers: { Allow: 'POST' } },
    ])
  })

  test.each(['development', 'production'])(
    'without an error handler, every 401 gets the same response from Express, in %s',
    async (env) => {
      vi.stubEnv('NODE_ENV', env)
      onTestFinished(() => void vi.unstubAllEnvs())
      const app = application().use(webhookMiddleware(secret, forward))
      const responses = [
        await post(app, '/', '{}'),
        await post(app, '/', undefined, 'whsec_other'),
        { response: await send(app, '/', { method: 'POST' }) },
      ]
      const [text = '', ...others] = await Promise.all(
        responses.map(({ response }) => response.text()),
      )
      expect(others).toEqual([text, text])
      expect(text).not.toMatch(/signature|timestamp|node_modules|\.ts/)
    },
  )

  test('brings what a handler of webhookHandler throws as the cause of a WebhookError', async () => {
    const cause = new Error('the database is down')
    const onError = vi.fn()
    const { errors, handler } = errorHandler()
    const fail = () => Promise.reject(cause)
    const options = { onError, forwardErrors: true }
    const app = application().use(webhookHandler(secret, fail, options), handler)
    expect((await post(app)).status).toBe(418)
    expect(onError).toHaveBeenCalledExactlyOnceWith(cause, {
      delivery: expect.objectContaining({ event: 'message.received' }),
      request: expect.objectContaining({ app }),
    })
    expect(errors).toEqual([expect.any(WebhookError)])
    expect(errors).toMatchObject([{ reason: 'handler_failed', status: 500, cause }])
  })

  test('does not bring it a body over the limit, which it could not respond to', async () => {
    const { errors, handler } = errorHandler()
    const app = application().use(webhookMiddleware(secret, { ...forward, limit: 10 }), handler)
    const { response } = await post(app)
    expect([response.status, response.headers.get('connection')]).toEqual([413, 'close'])
    expect(await response.json()).toMatchObject({ code: 'body_too_large' })
    expect(errors).toEqual([])
  })
})

test('a secret function gets the request', async () => {
  const app = application()
  const middleware = webhookMiddleware((req) => `whsec_${req.params.tenant}`, quiet)
  app.post('/:tenant', middleware, (_req, res) => void res.sendStatus(204))
  expect((await post(app, '/acme', undefined, 'whsec_acme')).status).toBe(204)
  expect((await post(app, '/other', undefined, 'whsec_acme')).status).toBe(401)
})

test('a schema’s output reaches the handler', async () => {
  const app = application()
  const schemas = {
    'message.received': z.object({ text: z.string().transform((text) => text.length) }),
  }
  app.post('/webhooks', webhookMiddleware(secret, { schemas }), (req, res) => {
    const { delivery } = req
    res.json(delivery.known && delivery.event === 'message.received' && delivery.data.data.text)
  })
  const { response, delivery } = await post(app)
  expect(await response.json()).toBe(String(delivery.data.data.text).length)
})

test('two receivers in a row verify the same bytes', async () => {
  const app = application().use(webhookMiddleware(secret))
  app.post('/webhooks', webhookHandler(secret, { any() {} }))
  expect((await post(app)).status).toBe(204)
})

test('requireDelivery throws where no receiver is mounted', async () => {
  vi.spyOn(console, 'error').mockReturnValueOnce()
  const { errors, handler } = errorHandler()
  const app = application()
  app.post('/webhooks', (req, res) => void res.json(requireDelivery(req))).use(handler)
  await post(app)
  expect(errors).toMatchObject([{ reason: 'delivery_missing', status: 500 }])
})

test.each([
  [undefined, {}, /The secret is undefined: is its environment variable set/],
  ['', {}, /The secret is empty/],
  [secret, { limit: 'banana' }, /`limit` should be a whole number of bytes/],
  [secret, { forwardErrors: 1 }, /`forwardErrors` should be/],
  [secret, { tolerence: 1 }, /There is no option "tolerence"\. The options are: scheme/],
])('is a TypeError at start: secret %j with %j', (given, options, message) => {
  const create = () => Reflect.apply(webhookMiddleware, undefined, [given, options])
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})

test.each([
  ['webhookMiddleware(secret)', webhookMiddleware],
  ['webhookHandler(secret, handlers)', webhookHandler],
])('says what to write where %s was mounted without being called', async (call, mounted) => {
  const { errors, handler } = errorHandler()
  const app = application()
  // Not by app.post itself: the compiler rejects this.
  Reflect.apply(app.post, app, ['/webhooks', mounted, () => errors.push('the handler ran')])
  await post(app.use(handler))
  expect(errors).toEqual([expect.any(TypeError)])
  expect(String(errors[0])).toContain(`mounted without being called: write ${call}, not`)
})

test.each([
  ['off', false, /127\.0\.0\.1$/],
  ['on', true, /^203\.0\.113\.9$/],
  ['set to one proxy', 1, /^198\.51\.100\.7$/],
])('goes by X-Forwarded-For where trust proxy is %s', async (_, trust, address) => {
  const onRejected = vi.fn<(rejection: Rejection) => void>()
  const app = application().set('trust proxy', trust)
  app.post('/webhooks', webhookMiddleware(secret, { onRejected }))
  const headers = { 'X-Forwarded-For': '203.0.113.9, 198.51.100.7' }
  await send(app, '/webhooks', { method: 'POST', headers })
  expect(onRejected.mock.calls).toMatchObject([
    [{ remote: { address: expect.stringMatching(address) } }],
  ])
})
