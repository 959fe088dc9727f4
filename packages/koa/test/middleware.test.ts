import { createServer } from 'node:http'
import { connect } from 'node:net'
import { bodyParser } from '@koa/bodyparser'
import { listening } from '@webhook-receiver/conformance'
import { requireDelivery, webhookHandler, webhookMiddleware } from '@webhook-receiver/koa'
import { deliverTo } from '@webhook-receiver/koa/testing'
import {
  describeForms,
  describeHttp2,
  describeTesting,
  serving,
  signedPost,
} from '@webhook-receiver/suites'
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

describeForms(
  'koa',
  {
    webhookMiddleware,
    webhookHandler,
    handlerOptions: { path: '/webhooks' },
    proxies: [
      [false, undefined],
      [true, '203.0.113.9'],
    ],
    mount({ receivers, isHandler, headers, behind, onError, proxy = false }) {
      const app = Object.assign(application(), { proxy })
      app.use(async (ctx, next) => {
        ctx.set(headers)
        await next().catch((error) => {
          if (!onError) throw error
          onError(error)
          ctx.status = 418
        })
      })
      for (const receiver of receivers) app.use(receiver)
      if (!isHandler) {
        app.use(async (ctx) => {
          const { delivery, verification } = ctx.state
          await behind({ delivery, verification, required: () => requireDelivery(ctx) })
          ctx.status = 204
        })
      }
      return listening(createServer(app.callback()))
    },
  },
  { writes: 'setHeader' },
)

/** Sends a delivery, or `body` under its headers. */
async function post(app: Koa, path = '/webhooks', body?: string): Promise<Response> {
  const init = await signedPost(secret)
  return fetch((await serving(app.callback())) + path, { ...init, body: body ?? init.body })
}

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

  test.each(['/WebHooks', '/%77ebhooks', '//webhooks'])(
    'leaves %s, and its body, to the next middleware',
    async (path) => {
      const { app, work } = withPath()
      const response = await post(app, path, '{"a":1}')
      expect(await response.json()).toEqual({ body: { a: 1 }, delivery: null })
      expect(work).not.toHaveBeenCalled()
    },
  )

  test('a target that no URL parser takes runs nothing', async () => {
    const { app, work } = withPath()
    const { port } = new URL(await serving(app.callback()))
    const socket = connect(Number(port), '127.0.0.1')
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

test('where ctx.state is frozen, the error goes to the error handling, and nothing behind it runs', async () => {
  const [behind, seen] = [vi.fn(), vi.fn()]
  const app = application().on('error', (error) => seen(String(error)))
  app.use((ctx, next) => {
    ctx.state = Object.freeze({})
    return next()
  })
  app.use(webhookMiddleware(secret)).use(behind)
  expect((await post(app)).status).toBe(500)
  expect(seen.mock.calls).toEqual([
    [expect.stringContaining('The delivery cannot be attached, because')],
  ])
  expect(behind).not.toHaveBeenCalled()
})

test('behind a body parser: 500 that names it, although it kept the body as text', async () => {
  const onRejected = vi.fn()
  const app = application()
  app.use(bodyParser()).use(webhookHandler(secret, { any() {} }, { onRejected }))
  expect((await post(app)).status).toBe(500)
  const detail = expect.stringMatching(
    /probably bodyParser.* Mount the receiver before .*, and koa-body on other routes/,
  )
  expect(onRejected.mock.calls).toMatchObject([[{ reason: 'body_already_read', detail }]])
})

test('bodyParser() behind it leaves the body as it is', async () => {
  const app = application()
  app.use(webhookMiddleware(secret, quiet)).use(bodyParser())
  app.use((ctx) => {
    ctx.status = ctx.request.body === ctx.state.delivery ? 204 : 299
  })
  expect((await post(app)).status).toBe(204)
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

test('a secret function that rejects does not let Koa print each request', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const source = () => Promise.reject(new Error('no such tenant'))
  const app = new Koa().use(webhookHandler(source, { any() {} }, quiet))
  expect((await post(app)).status).toBe(503)
  expect(print).not.toHaveBeenCalled()
})

test('a path that begins without a slash is a TypeError at start', () => {
  const create = () => webhookHandler(secret, { any() {} }, { path: 'webhooks' })
  expect(create).toThrow("`path` should be a path without a query, such as '/webhooks'")
})

describeTesting({
  secret,
  deliverTo,
  create: (work, seen) =>
    new Koa()
      .use((ctx, next) => {
        ctx.set(seen(ctx.get('x-tenant'), ctx.url))
        return next()
      })
      .use(webhookHandler(secret, work, { path: '/hooks', onRejected: false })),
})

describeHttp2('koa', (...args) =>
  application()
    .use(webhookHandler(...args))
    .callback(),
)
