import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import {
  captureRawBody,
  requireDelivery,
  webhookHandler,
  webhookMiddleware,
} from '@webhook-receiver/express'
import { deliverTo } from '@webhook-receiver/express/testing'
import { describeForms, describeTesting, serving, signedPost } from '@webhook-receiver/suites'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { describe, expect, test, vi } from 'vitest'

const secret = 'whsec_express'
const quiet = { onRejected: false } as const

/** An application whose default error handler prints nothing. */
function application(): Express {
  return express().set('env', 'test')
}

describeForms(
  'express',
  {
    webhookMiddleware,
    webhookHandler,
    proxies: [
      [false, undefined],
      [true, '203.0.113.9'],
      [1, '198.51.100.7'],
    ],
    mount({ receivers, isHandler, headers, behind, onError, proxy = false }) {
      const app = application().set('trust proxy', proxy)
      app.use((_req, res, next) => next(void res.set(headers)))
      // Below a mount, which cuts off a part of `req.url`.
      const router = express.Router()
      for (const receiver of receivers) router.all('/', receiver)
      if (!isHandler) {
        router.all('/', (req, res, next) => {
          const { delivery, verification, body } = req
          const required = () => requireDelivery(req)
          Promise.resolve({ delivery, verification, required, body })
            .then(behind)
            .then(() => res.sendStatus(204), next)
        })
      }
      app.use('/webhooks', router)
      const handler: ErrorRequestHandler = (error, _req, res, _next) => {
        res.status(418).end(onError?.(error))
      }
      return listening(createServer(onError ? app.use(handler) : app))
    },
  },
  { writes: 'writeHead' },
)

/** Sends a delivery, or `body` under its headers. */
async function post(app: Express, path = '/webhooks', body?: string): Promise<Response> {
  const init = await signedPost(secret)
  return fetch((await serving(app)) + path, { ...init, body: body ?? init.body })
}

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

test.each([
  ['req.body has no setter', { body: { get: () => undefined } }],
  ['req.body is frozen', { body: { value: {} } }],
  ['req.delivery has no setter', { delivery: { get: () => undefined } }],
])(
  'where %s, the error goes to the error handler, and nothing behind it runs',
  async (_, found) => {
    const [behind, seen] = [vi.fn(), vi.fn()]
    const app = application()
    app.use((req, _res, next) => next(void Object.defineProperties(req, found)))
    app.post('/webhooks', webhookMiddleware(secret), behind)
    const handler: ErrorRequestHandler = (error, _req, res, _next) => {
      seen(String(error))
      res.sendStatus(500)
    }
    expect((await post(app.use(handler))).status).toBe(500)
    const text = `^TypeError: The delivery cannot be attached, because .*${Object.keys(found)}`
    expect(seen.mock.calls).toEqual([[expect.stringMatching(text)]])
    expect(behind).not.toHaveBeenCalled()
  },
)

describe('behind a parser', () => {
  test('of JSON: 500 that names it', async () => {
    const onRejected = vi.fn()
    const app = application().use(express.json())
    app.post('/webhooks', webhookMiddleware(secret, { onRejected }))
    expect((await post(app)).status).toBe(500)
    const detail = /probably jsonParser.* express\.json\({ verify: captureRawBody }\)/
    expect(onRejected.mock.calls).toMatchObject([
      [{ reason: 'body_already_read', detail: expect.stringMatching(detail) }],
    ])
  })

  test.each([
    // Express 4.16 has no express.raw().
    ['express.raw()', express.raw?.({ type: '*/*' })],
    ['express.json({ verify: captureRawBody })', express.json({ verify: captureRawBody })],
  ])('%s keeps the bytes: they are verified', async (_name, parser) => {
    if (parser === undefined) return
    const work = vi.fn()
    const app = application().use(parser)
    app.post('/webhooks', webhookHandler(secret, { 'message.received': work }, quiet))
    expect((await post(app)).status).toBe(204)
    expect((await post(app, '/webhooks', '{}')).status).toBe(401)
    expect(work).toHaveBeenCalledOnce()
  })
})

function receiving(work: () => void): Express {
  return express().post('/hooks', webhookHandler(secret, work, quiet))
}

describeTesting({
  secret,
  deliverTo,
  create: (work, seen) =>
    express()
      .use((req, res, next) => next(void res.set(seen(req.get('x-tenant'), req.url))))
      .use(receiving(work)),
})
