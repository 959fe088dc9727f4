import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import {
  captureRawBody,
  deliveryHandler,
  type Rejection,
  requireDelivery,
  WebhookError,
  webhookMiddleware,
} from '@webhook-receiver/express'
import express, { type ErrorRequestHandler, type Express } from 'express'
import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const secret = 'whsec_express'

/** Sends a genuine delivery, or `body` under its headers. */
async function post(app: Express, path = '/webhooks', body?: string, key = secret) {
  const delivery = sampleDelivery('message.received')
  const signed = await signDelivery(key, delivery)
  const answer = await request(app)
    .post(path)
    .set(signed.headers)
    .serialize((bytes) => bytes)
    .send(body ?? Buffer.from(signed.body))
  return { delivery, answer, status: answer.status }
}

function quiet(): Express {
  return express().set('env', 'test')
}

/** Collects the rejections that the operator sees. */
function operator() {
  const rejections: Rejection[] = []
  return { rejections, onRejected: (rejection: Rejection) => void rejections.push(rejection) }
}

test('attaches the delivery, how it was verified, and the delivery as the body', async () => {
  const seen: unknown[] = []
  const app = quiet()
  app.post('/webhooks', webhookMiddleware({ old: 'whsec_x', current: secret }), (req, res) => {
    seen.push(req.delivery, req.body === req.delivery, req.verification.secretName)
    seen.push(requireDelivery(req) === req.delivery)
    res.sendStatus(204)
  })
  const { delivery, status } = await post(app)
  expect(status).toBe(204)
  expect(seen).toEqual([{ ...delivery, known: true }, true, 'current', true])
})

test('express.json() behind it leaves the body as it is', async () => {
  const app = quiet()
  app.use(webhookMiddleware(secret), express.json(), express.urlencoded())
  app.post('/webhooks', (req, res) => {
    res.status(req.body === req.delivery ? 204 : 500).end()
  })
  expect((await post(app)).status).toBe(204)
})

describe('behind a parser', () => {
  const parsers = {
    jsonParser: express.json(),
    urlencodedParser: express.urlencoded({ type: '*/*' }),
    textParser: express.text({ type: '*/*' }),
  }

  test.each(Object.entries(parsers))('%s at the root: 500 that names it', async (name, parser) => {
    const { rejections, onRejected } = operator()
    const app = quiet().use(parser)
    app.post('/webhooks', webhookMiddleware(secret, { onRejected }), (_req, res) => res.end())
    expect((await post(app)).status).toBe(500)
    expect(rejections).toMatchObject([{ reason: 'body_already_read', code: 'receiver_error' }])
    expect(rejections[0]?.detail).toContain(`probably ${name}`)
    expect(rejections[0]?.detail).toContain('express.json({ verify: captureRawBody })')
  })

  test('on the same route: 500 that names it', async () => {
    const { rejections, onRejected } = operator()
    const app = quiet()
    app.post('/webhooks', express.json(), webhookMiddleware(secret, { onRejected }))
    expect((await post(app)).status).toBe(500)
    expect(rejections[0]?.detail).toContain('probably jsonParser')
  })

  test('and on no route at all: 500 that names it', async () => {
    const { rejections, onRejected } = operator()
    const app = quiet().use(express.json()).use(webhookMiddleware(secret, { onRejected }))
    expect((await post(app)).status).toBe(500)
    expect(rejections[0]?.detail).toContain('probably jsonParser')
  })

  test.each([
    ['express.raw()', express.raw({ type: '*/*' })],
    ['express.json({ verify: captureRawBody })', express.json({ verify: captureRawBody })],
  ])('%s keeps the bytes: they are verified', async (_name, parser) => {
    const app = quiet().use(parser)
    app.post('/webhooks', webhookMiddleware(secret, { onRejected: false }), (req, res) => {
      res.status(req.delivery.event === 'message.received' ? 204 : 500).end()
    })
    expect((await post(app)).status).toBe(204)
    expect((await post(app, '/webhooks', '{}')).status).toBe(401)
  })
})

test('the application’s error handler gets the WebhookError', async () => {
  const errors: unknown[] = []
  const handler: ErrorRequestHandler = (error, _req, res, _next) => {
    errors.push(error)
    res.status(error.status).set(error.headers).json(error)
  }
  const app = quiet()
  app.use(webhookMiddleware(secret, { onRejected: false }), handler)
  const { answer } = await post(app, '/webhooks', '{}')
  expect(answer.status).toBe(401)
  expect(answer.body).toEqual({
    code: 'not_authenticated',
    message: errors[0] instanceof WebhookError && errors[0].message,
  })
  const get = await request(app).get('/webhooks')
  expect([get.status, get.headers.allow, get.body.code]).toEqual([
    405,
    'POST',
    'method_not_allowed',
  ])
})

test.each(['development', 'production'])(
  'without an error handler every 401 has the same answer, in %s',
  async (env) => {
    const app = quiet()
    app.use(webhookMiddleware(secret, { onRejected: false }))
    const bodies = new Set<string>()
    const before = process.env.NODE_ENV
    process.env.NODE_ENV = env
    try {
      bodies.add((await post(app, '/webhooks', '{}')).answer.text)
      bodies.add((await post(app, '/webhooks', undefined, 'whsec_other')).answer.text)
      bodies.add((await request(app).post('/webhooks').send('{}')).text)
    } finally {
      process.env.NODE_ENV = before
    }
    expect(bodies.size).toBe(1)
    expect([...bodies][0]).not.toMatch(/signature|timestamp|node_modules|\.ts/)
  },
)

test('a secret function gets the request', async () => {
  const app = quiet()
  app.post(
    '/:tenant',
    webhookMiddleware((req) => `whsec_${req.params.tenant}`, { onRejected: false }),
    (_req, res) => res.sendStatus(204),
  )
  expect((await post(app, '/acme', undefined, 'whsec_acme')).status).toBe(204)
  expect((await post(app, '/other', undefined, 'whsec_acme')).status).toBe(401)
})

test('a schema’s output reaches the handler', async () => {
  const app = quiet()
  const schemas = {
    'message.received': z.object({ text: z.string().transform((text) => text.length) }),
  }
  app.post('/webhooks', webhookMiddleware(secret, { schemas }), (req, res) => {
    const { delivery } = req
    res.json(delivery.known && delivery.event === 'message.received' && delivery.data.data.text)
  })
  const { answer, delivery } = await post(app)
  expect(answer.body).toBe(String(delivery.data.data.text).length)
})

test('two receivers in a row verify the same bytes', async () => {
  const app = quiet()
  app.use(webhookMiddleware(secret))
  app.post('/webhooks', webhookMiddleware(secret), (_req, res) => res.sendStatus(204))
  expect((await post(app)).status).toBe(204)
})

test('requireDelivery throws where no receiver stands in front', async () => {
  const app = quiet()
  app.post('/webhooks', (req, res) => res.json(requireDelivery(req)))
  const errors: unknown[] = []
  const handler: ErrorRequestHandler = (error, _req, res, _next) => {
    errors.push(error)
    res.sendStatus(error.status)
  }
  app.use(handler)
  expect((await post(app)).status).toBe(500)
  expect(errors).toMatchObject([{ reason: 'delivery_missing' }])
})

describe('the path option', () => {
  /** Every request that reaches a handler without a delivery is one that was let past. */
  function guarded() {
    const app = quiet()
    app.use(webhookMiddleware(secret, { path: '/webhooks', onRejected: false }))
    const router = express.Router()
    router.use((req, res) => res.status(req.delivery ? 204 : 299).end())
    app.use('/webhooks', router)
    app.use((_req, res) => res.status(200).end('elsewhere'))
    return app
  }

  test('leaves other routes and their bodies alone', async () => {
    const app = quiet()
    app.use(webhookMiddleware(secret, { path: '/webhooks' }), express.json())
    app.post('/api', (req, res) => res.json({ body: req.body, delivery: req.delivery ?? null }))
    const answer = await request(app).post('/api').send({ a: 1 })
    expect(answer.body).toEqual({ body: { a: 1 }, delivery: null })
  })

  test.each([
    '/webhooks',
    '/webhooks/',
    '/WEBHOOKS',
    '/Webhooks/sub?x',
    '/webhooks//x',
    '/webhooks/%2e%2e/x',
    '/webhooks/%',
  ])('never fails open: %s', async (path) => {
    const app = guarded()
    expect((await post(app, path, '{}')).status).toBe(401)
    expect((await request(app).get(path)).status).toBe(405)
    expect((await post(app, path)).status).toBe(204)
  })

  test('counts from where the middleware is mounted, or from the root', async () => {
    for (const path of ['/webhooks', '/api/webhooks']) {
      const app = quiet()
      app.use('/api', webhookMiddleware(secret, { path, onRejected: false }), (_req, res) =>
        res.end(),
      )
      expect((await post(app, '/api/webhooks', '{}')).status).toBe(401)
      expect((await post(app, '/api/other', '{}')).status).toBe(200)
    }
  })
})

test.each([
  [undefined, {}, /The secret is undefined: is its environment variable set/],
  ['', {}, /The secret is empty/],
  [secret, { limit: 'banana' }, /`limit` should be a whole number of bytes/],
  [secret, { path: 'webhooks' }, /`path` should be a plain path/],
  [secret, { tolerence: 1 }, /There is no option "tolerence"\. The options are: tolerance/],
])('is a TypeError at start: secret %j with %j', (given, options, message) => {
  expect(() => Reflect.apply(webhookMiddleware, undefined, [given, options])).toThrow(TypeError)
  expect(() => Reflect.apply(webhookMiddleware, undefined, [given, options])).toThrow(message)
})

test.each([
  ['webhookMiddleware(secret)', () => [webhookMiddleware]],
  ['deliveryHandler({ … })', () => [webhookMiddleware(secret), deliveryHandler]],
])('says what to write where %s was mounted without being called', async (call, mounted) => {
  const seen: unknown[] = []
  const app = quiet()
  // Not by app.post itself: the compiler refuses this.
  Reflect.apply(app.post, app, ['/webhooks', ...mounted(), () => seen.push('the handler ran')])
  const tell: ErrorRequestHandler = (error, _req, res, _next) => {
    seen.push(error)
    res.sendStatus(500)
  }
  app.use(tell)
  expect((await post(app)).status).toBe(500)
  const [error] = seen
  // What deliveryHandler throws is what a handler throws.
  const thrown = error instanceof WebhookError ? error.cause : error
  expect([seen.length, thrown]).toEqual([1, expect.any(TypeError)])
  expect(String(thrown)).toContain(`mounted without being called: write ${call}, not`)
})

test.each([
  ['off', false, /127\.0\.0\.1$/],
  ['on', true, /^203\.0\.113\.9$/],
  ['set to one proxy', 1, /^198\.51\.100\.7$/],
])('goes by X-Forwarded-For where trust proxy is %s', async (_, trust, address) => {
  const { rejections, onRejected } = operator()
  const app = quiet().set('trust proxy', trust)
  app.post('/webhooks', webhookMiddleware(secret, { onRejected }))
  await request(app).post('/webhooks').set('X-Forwarded-For', '203.0.113.9, 198.51.100.7')
  expect(rejections).toMatchObject([{ remote: { address: expect.stringMatching(address) } }])
})
