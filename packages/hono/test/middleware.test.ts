import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { listening } from '@webhook-receiver/conformance'
import { signedRequest } from '@webhook-receiver/core/testing'
import {
  requireDelivery,
  type WebhookVariables,
  webhookHandler,
  webhookMiddleware,
} from '@webhook-receiver/hono'
import { describeForms, describeHttp2, serving } from '@webhook-receiver/suites'
import { Hono, type MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { validator } from 'hono/validator'
import { describe, expect, test, vi } from 'vitest'

const secret = 'whsec_hono'
const quiet = { onRejected: false } as const

const exceptions = ([401, 503] as const).map((status) => ({
  name: `an HTTPException with the status ${status}`,
  make: (mark: string) => new HTTPException(status, { res: new Response(mark, { status }) }),
}))

describeForms(
  'hono',
  {
    webhookMiddleware,
    webhookHandler,
    mount({ receivers, isHandler, headers, behind, onError }) {
      const app = new Hono()
      app.use((c, next) => {
        for (const [name, value] of Object.entries(headers)) c.header(name, value)
        return next()
      })
      const mounted = new Hono<{ Variables: Partial<WebhookVariables> }>()
      for (const receiver of receivers) mounted.all('/', receiver)
      if (!isHandler) {
        mounted.all('/', async (c) => {
          const { delivery, verification } = c.var
          await behind({ delivery, verification, required: () => requireDelivery(c) })
          return c.body(null, 204)
        })
      }
      app.route('/webhooks', mounted)
      if (onError) app.onError((error, c) => c.body(onError(error) ?? null, 418))
      return listening(createServer(getRequestListener(app.fetch)))
    },
  },
  { values: exceptions, replacesBodies: false },
)

/** A delivery, or a request with `body` under its headers. */
async function delivered(body?: string): Promise<Request> {
  const signed = await signedRequest('message.received', {}, { secret })
  if (body === undefined) return signed
  return new Request(signed.url, { method: 'POST', headers: signed.headers, body })
}

describe('the body behind it', () => {
  const servers: Readonly<Record<string, (app: Hono, request: Request) => Promise<Response>>> = {
    'no server': async (app, request) => app.request(request),
    '@hono/node-server': async (app, request) => {
      const origin = await serving(getRequestListener(app.fetch))
      const { method, headers } = request
      const body = await request.arrayBuffer()
      return fetch(`${origin}/webhooks`, { method, headers, body })
    },
  }

  const echo = async (request: Request) => new Response(await request.text())
  const receiver = webhookMiddleware(secret)
  const asking: MiddlewareHandler = (c, next) => {
    expect(c.req.raw.signal.aborted).toBe(false)
    return next()
  }

  const readers: Readonly<Record<string, (app: Hono) => unknown>> = {
    'a mounted application': (app) => app.use(receiver).mount('/webhooks', echo),
    'one, where something in front has asked for the Request': (app) =>
      app.use(asking, receiver).mount('/webhooks', echo),
    'a proxy': (app) =>
      app.post('*', receiver, (c) => echo(new Request('http://a.test/', c.req.raw))),
    'another receiver': (app) =>
      app.use(receiver, webhookMiddleware(secret)).mount('/webhooks', echo),
    'a validator': (app) => {
      const check = validator('json', (value) => value)
      app.post('*', receiver, check, (c) => c.json(c.req.valid('json')))
    },
    'each method, and more than once': (app) =>
      app.post('*', receiver, async (c) => {
        const text = await c.req.text()
        const bytes = new Uint8Array(await c.req.arrayBuffer()).fill(0)
        const { size } = await c.req.blob()
        return c.text(size === bytes.length ? JSON.stringify(await c.req.json()) : text.slice(1))
      }),
  }

  describe.each(Object.entries(servers))('on %s', (_name, send) => {
    test.each(Object.entries(readers))('is there for %s', async (_reader, mount) => {
      const app = new Hono()
      mount(app)
      const request = await signedRequest('message.sent', { text: 'é'.repeat(400_000) }, { secret })
      const expected = await request.clone().text()
      const response = await send(app, request)
      expect([response.status, await response.text()]).toEqual([200, expected])
    })
  })

  test('is there for a handler of webhookHandler', async () => {
    const bodies: string[] = []
    const handler = webhookHandler(secret, async (_delivery, { request: { req } }) => {
      bodies.push(await req.raw.text())
    })
    const request = await delivered()
    const text = await request.clone().text()
    expect((await new Hono().post('*', handler).request(request)).status).toBe(204)
    expect(bodies).toEqual([text])
  })
})

describe('behind something that read the body', () => {
  test('as JSON: 500 that names it', async () => {
    const onRejected = vi.fn()
    const app = new Hono()
    app.use(async (c, next) => {
      await c.req.json()
      await next()
    })
    app.post('/webhooks', webhookMiddleware(secret, { onRejected }), (c) => c.text('let past'))
    expect((await app.request(await delivered())).status).toBe(500)
    const detail = /read as (json|text) by a validator.* Mount the receiver before it\.$/
    expect(onRejected.mock.calls).toMatchObject([
      [{ reason: 'body_already_read', detail: expect.stringMatching(detail) }],
    ])
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
})

describeHttp2('hono', (...args) =>
  getRequestListener(new Hono().post('/', webhookHandler(...args)).fetch),
)
