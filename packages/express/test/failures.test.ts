import { createServer } from 'node:http'
import {
  describeFailures,
  type FailingSetup,
  listening,
  type RunningAdapter,
} from '@webhook-receiver/conformance'
import { signDelivery } from '@webhook-receiver/core/testing'
import { deliveryHandler, memoryStore, webhookMiddleware } from '@webhook-receiver/express'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

type Mount = (app: Express, setup: FailingSetup, handler: RequestHandler) => void

const mounts: Readonly<Record<string, Mount>> = {
  'on a route': (app, { path, secret }, handler) => {
    app.post(path, webhookMiddleware(secret), handler)
  },
  'at the root': (app, { path, secret }, handler) => {
    app.use(webhookMiddleware(secret))
    app.post(path, handler)
  },
  'on a router in front of another router': (app, { path, secret }, handler) => {
    const [outer, inner] = [express.Router(), express.Router()]
    outer.use(webhookMiddleware(secret))
    inner.post('/', handler)
    app.use(path, outer.use(inner))
  },
  'in front of an application of its own': (app, { path, secret }, handler) => {
    app.use(path, webhookMiddleware(secret), express().use(handler))
  },
}

for (const [name, mount] of Object.entries(mounts)) {
  describeFailures(`express, ${name}`, (setup) =>
    serve(setup, (app) => mount(app, setup, (req) => setup.handler(req.delivery))),
  )
}

const stores = { 'without a store': {}, 'with a store': { store: memoryStore() } }
for (const [name, options] of Object.entries(stores)) {
  describeFailures(`express, deliveryHandler ${name}`, (setup) => {
    const { path, secret, handler } = setup
    return serve(setup, (app) => {
      app.post(path, webhookMiddleware(secret), deliveryHandler({ any: handler }, options))
    })
  })
}

/** An application that answers 200 to whatever comes to its end. */
function serve({ onError }: FailingSetup, mount: (app: Express) => void) {
  const app = express()
  mount(app)
  app.use((_req, res) => res.status(200).end('caught'))
  const errorHandler: ErrorRequestHandler = (error, _req, res, _next) => {
    res.status(onError?.(error) ?? 500).end()
  }
  if (onError) app.use(errorHandler)
  return listening(createServer(app))
}

const secret = 'whsec_failing'

/** Sends a delivery to an application; returns what is printed. */
async function deliverTo(app: Express, path = '/webhooks') {
  const { port, close }: RunningAdapter = await listening(createServer(app))
  const print = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(async () => {
    print.mockRestore()
    await close()
  })
  const { headers, body } = await signDelivery(secret, 'message.received')
  const url = `http://127.0.0.1:${port}${path}`
  const answer = fetch(url, { method: 'POST', headers, body })
  return { answer, printed: print.mock.calls }
}

async function answerOf(app: Express, path?: string) {
  const { answer, printed } = await deliverTo(app, path)
  const { status } = await answer
  return { status, text: await (await answer).text(), printed }
}

test('ends the connection of an answer that the handler had begun, and tells the operator', async () => {
  const app = express()
  app.post('/webhooks', webhookMiddleware(secret), (_req, res) => {
    res.writeHead(200, { 'Content-Length': '10' }).write('half')
    throw new Error('broken off')
  })
  const { answer, printed } = await deliverTo(app)
  await expect(answer.then((begun) => begun.text())).rejects.toThrow()
  expect(printed).toEqual([
    [expect.stringContaining('Its answer was cut off'), new Error('broken off')],
  ])
})

test('answers 500 where the handler has set a status, a length and a type before it throws', async () => {
  const app = express()
  app.post('/webhooks', webhookMiddleware(secret), (_req, res) => {
    res.status(201).set({ 'Content-Length': '1000', 'Content-Encoding': 'gzip' }).type('html')
    throw new Error('broken off')
  })
  const { status, text } = await answerOf(app)
  expect([status, JSON.parse(text)]).toEqual([
    500,
    { code: 'receiver_error', message: 'receiver error' },
  ])
})

test.each(['route', 'router', undefined, null])('next(%j) goes on as ever', async (given) => {
  const app = express()
  const next: RequestHandler = (_req, _res, next) => next(given)
  app.post('/webhooks', webhookMiddleware(secret), next, (_req, res) => res.end('in the route'))
  app.use((_req, res) => res.end('behind'))
  const { text } = await answerOf(app)
  if (given === 'router') expect(text).toContain('Cannot POST')
  else expect(text).toBe(given === 'route' ? 'behind' : 'in the route')
})

test('next(error) is a failure, whatever its status', async () => {
  const app = express()
  const error = Object.assign(new Error('broken off'), { status: 404 })
  app.post('/webhooks', webhookMiddleware(secret), (_req, _res, next) => next(error))
  const { status, printed } = await answerOf(app)
  expect(status).toBe(500)
  expect(printed).toEqual([[expect.any(String), error]])
})

test('leaves the handlers of other requests, and error handlers, as they are', async () => {
  const app = express()
  const error = Object.assign(new Error('teapot'), { status: 418 })
  app.post('/webhooks', webhookMiddleware(secret), () => {
    throw error
  })
  app.post('/other', () => {
    throw error
  })
  const seen: unknown[] = []
  const onError: ErrorRequestHandler = (given, _req, res, _next) => {
    seen.push(given)
    res.status(given.status).end()
  }
  app.use(onError)
  expect((await answerOf(app)).status).toBe(500)
  expect((await answerOf(app, '/other')).status).toBe(418)
  expect(seen).toEqual([expect.objectContaining({ cause: error }), error])
})

describe('an error handler of the application gets what is refused', () => {
  const onError =
    (seen: unknown[]): ErrorRequestHandler =>
    (error, _req, res, _next) => {
      seen.push(error.reason)
      res.status(error.status).end()
    }
  const guard = webhookMiddleware('whsec_another', { onRejected: false })

  test.each<[string, (app: Express, handler: ErrorRequestHandler) => unknown]>([
    ['behind the route', (app, handler) => app.post('/webhooks', guard).use(handler)],
    ['on the route', (app, handler) => app.post('/webhooks', guard, handler)],
    ['on a router', (app, handler) => app.use(express.Router().use(guard, handler))],
    ['on the parent', (app, handler) => app.use(express().use(guard)).use(handler)],
    [
      'on the grandparent',
      (app, handler) => {
        app.use(express().use(express().use(guard))).use(handler)
      },
    ],
  ])('%s', async (_where, mount) => {
    const app = express()
    const seen: unknown[] = []
    mount(app, onError(seen))
    const { status, printed } = await answerOf(app)
    expect([status, seen, printed]).toEqual([401, ['signature_mismatch'], []])
  })

  test('and where there is none, nothing is printed but the line of the receiver', async () => {
    const app = express().use(express().use(express.Router().use(guard)))
    // It sees the errors of its own route, and of no other.
    app.get('/other', onError([]))
    const { status, text, printed } = await answerOf(app)
    expect([status, JSON.parse(text).code, printed]).toEqual([401, 'not_authenticated', []])
  })
})
