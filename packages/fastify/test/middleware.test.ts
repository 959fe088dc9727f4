import { createServer, type RequestListener } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { requireDelivery, webhookHandler, webhookMiddleware } from '@webhook-receiver/fastify'
import { deliverTo } from '@webhook-receiver/fastify/testing'
import { describeForms, describeHttp2, describeTesting } from '@webhook-receiver/suites'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'

const secret = 'whsec_fastify'
const quiet = { onRejected: false } as const

describeForms(
  'fastify',
  {
    webhookMiddleware,
    webhookHandler,
    // Below a prefix.
    handlerOptions: { url: '/' },
    proxies: [
      [false, undefined],
      [true, '203.0.113.9'],
      ['127.0.0.1', '198.51.100.7'],
    ],
    async mount({ receivers, isHandler, headers, behind, onError, proxy = false }) {
      const app = Fastify({ trustProxy: Object(proxy).valueOf() })
      app.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
      if (onError) {
        app.setErrorHandler((error, _request, reply) => reply.code(418).send(onError(error)))
      }
      const mounted = async (scope: FastifyInstance) => {
        for (const receiver of receivers) await scope.register(receiver)
        if (isHandler) return
        scope.all('/', async (request, reply) => {
          const { delivery, verification, body } = request
          const required = () => requireDelivery(request)
          await behind({ delivery, verification, required, body })
          return reply.code(204).send()
        })
      }
      app.register(mounted, { prefix: '/webhooks' })
      await app.ready()
      return listening(createServer(app.routing))
    },
  },
  // The route is for POST only.
  { methods: false, writes: 'writeHead' },
)

/** What to inject: a delivery to '/webhooks'. */
async function signed(key = secret, url = '/webhooks') {
  const delivery = sampleDelivery('message.received')
  const { headers, body } = await signDelivery(key, delivery)
  const payload = Buffer.from(body)
  return { delivery, method: 'POST', url, headers: { ...headers }, payload } as const
}

/** An application whose webhook routes have a scope of their own. */
function application(): FastifyInstance {
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookMiddleware(secret, quiet))
    scope.post('/webhooks', async () => 'let past')
  })
  return app
}

test.each([
  ['webhookMiddleware', application],
  [
    'webhookHandler',
    () => Fastify().register(webhookHandler(secret, { any() {} }, { url: '/webhooks' })),
  ],
])('the routes outside the scope of %s keep their parsers', async (_name, create) => {
  const app = create()
  app.post('/api', async ({ body, delivery = null }) => ({ body, delivery }))
  const json = await app.inject({ method: 'POST', url: '/api', payload: { a: 1 } })
  expect(json.json()).toEqual({ body: { a: 1 }, delivery: null })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = await app.inject({ method: 'POST', url: '/api', headers, payload: 'a=1' })
  expect(form.statusCode).toBe(415)
})

test('where request.delivery has no setter, the error goes to the error handler, and nothing behind it runs', async () => {
  const [behind, seen] = [vi.fn(), vi.fn()]
  const app = Fastify().decorateRequest('delivery', { getter: () => undefined as never })
  app.setErrorHandler((error, _request, reply) => {
    seen(String(error))
    return reply.code(500).send()
  })
  app.register(async (scope) => {
    await scope.register(webhookMiddleware(secret, quiet))
    scope.post('/webhooks', behind)
  })
  expect((await app.inject(await signed())).statusCode).toBe(500)
  expect(seen.mock.calls).toEqual([
    [expect.stringContaining('The delivery cannot be attached, because')],
  ])
  expect(behind).not.toHaveBeenCalled()
})

test('registered at the root it verifies every request, also to a route that is declared before', async () => {
  const app = Fastify()
  app.post('/early', async () => 'let past')
  app.register(webhookMiddleware(secret, quiet))
  app.post('/late', async () => 'let past')
  for (const url of ['/early', '/late']) {
    expect((await app.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(401)
    expect((await app.inject(await signed(secret, url))).statusCode).toBe(200)
  }
})

test('webhookHandler has the URL below the prefix of its registration, and no other', async () => {
  const work = vi.fn()
  const app = Fastify()
  app.register(webhookHandler(secret, work, { url: '/webhooks' }), { prefix: '/v1' })
  const statusOf = async (url: string) => (await app.inject(await signed(secret, url))).statusCode
  const urls = ['/v1/webhooks', '/webhooks', '/v1/webhooks/sub']
  expect(await Promise.all(urls.map(statusOf))).toEqual([204, 404, 404])
  expect(work).toHaveBeenCalledOnce()
})

test('what a handler throws is in the log of Fastify, and not printed', async () => {
  const thrown = Object.assign(new TypeError('broken off', { cause: new Error('deeper') }), {
    code: 'ERR_BAD_REQUEST',
    config: { headers: { Authorization: 'Bearer MARK' } },
    detail: 'MARK',
  })
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const logged: string[] = []
  const stream = { write: (line: string) => void logged.push(line) }
  const app = Fastify({ logger: { level: 'warn', stream } })
  app.register(webhookHandler(secret, () => Promise.reject(thrown), { url: '/webhooks' }))
  const { delivery, ...request } = await signed()
  expect((await app.inject(request)).statusCode).toBe(500)
  expect(logged).toEqual([
    expect.stringMatching(
      /"type":"TypeError","message":"broken off","stack":"TypeError: broken off\\n.*cause: Error: deeper\\n.*"code":"ERR_BAD_REQUEST"/,
    ),
  ])
  expect(logged[0]).toContain('"reqId":"req-1"')
  expect(logged[0]).not.toContain('MARK')
  expect(JSON.parse(logged[0] ?? '').msg).toBe(
    `500 handler_failed at /webhooks message.received ${delivery.id}: the handler threw`,
  )
  expect(print).not.toHaveBeenCalled()
})

test('another plugin that took the body first: 500 that says what to do', async () => {
  const onRejected = vi.fn()
  const app = Fastify()
  app.addHook('preParsing', async (request) => {
    for await (const _chunk of request.raw);
  })
  app.register(webhookHandler(secret, { any() {} }, { url: '/webhooks', onRejected }))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const { headers, payload: body } = await signed()
  const response = await fetch(`${url}/webhooks`, { method: 'POST', headers, body })
  expect(response.status).toBe(500)
  const detail = expect.stringMatching(
    /separate scope\. .*express\.json\(\), belongs in another one/,
  )
  expect(onRejected.mock.calls).toMatchObject([[{ reason: 'body_already_read', detail }]])
})

test.each([undefined, { url: 'webhooks' }])(
  'webhookHandler is a TypeError at start with %j',
  (options) => {
    const call = () => webhookHandler(secret, { any() {} }, options as never)
    expect(call).toThrow("`url` should be the URL of the route, such as '/webhooks'")
  },
)

test.each([
  ['forwarded, with a logger: by Fastify', true, true, 1, 0],
  ['forwarded, without one: on standard error', true, false, 0, 1],
])('an error is reported once: %s', async (_, forwardErrors, logged, lines, printed) => {
  const written: string[] = []
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const stream = { write: (line: string) => void written.push(line) }
  const app = Fastify({ logger: logged && { stream, level: 'error' } })
  const fail = () => Promise.reject(new Error('boom'))
  app.register(webhookHandler(secret, fail, { url: '/webhooks', forwardErrors }))
  expect((await app.inject(await signed())).statusCode).toBe(500)
  expect(written.filter((line) => line.includes('Error: boom\\n'))).toHaveLength(lines)
  const failures = print.mock.calls.filter(([line]) => line.includes('Error: boom\n'))
  expect(failures).toHaveLength(printed)
})

test.each([
  ['webhookHandler', 'write webhookHandler(secret, handlers, ', webhookHandler],
  [
    'webhookMiddleware(secret)',
    'write app.register(webhookMiddleware(secret))',
    webhookMiddleware(secret),
  ],
])('says what to write where %s is a hook', async (_name, advice, hook) => {
  const errors: unknown[] = []
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => {
    errors.push(error)
    return reply.code(500).send('no')
  })
  const handler = async () => 'the handler ran'
  Reflect.apply(app.route, app, [{ method: 'POST', url: '/webhooks', handler, preHandler: hook }])
  const response = await app.inject(await signed())
  expect([response.statusCode, response.body]).toEqual([500, 'no'])
  expect(errors).toEqual([expect.any(TypeError)])
  expect(String(errors[0])).toContain(advice)
})

test('gives onSend hooks the text of a rejection, and leaves what an error handler sends after a failed one as JSON', async () => {
  const app = application()
  const seen: unknown[] = []
  app.addHook('onSend', async (_request, _reply, payload) => {
    seen.push(payload)
    if (seen.length === 1) throw new Error('the hook failed')
  })
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send({ failed: true }))
  const rejected = await signed('whsec_other')
  const failed = await app.inject(rejected)
  expect([failed.statusCode, failed.json()]).toEqual([500, { failed: true }])
  const passed = await app.inject(rejected)
  expect([passed.statusCode, passed.headers['content-type']]).toEqual([401, 'application/json'])
  expect(seen).toEqual([passed.body, '{"failed":true}', passed.body])
  expect(passed.json()).toEqual({ code: 'not_authenticated', message: 'not authenticated' })
})

test('the delivery goes to the handler, and does not stay on the request', async () => {
  const events: string[] = []
  const left: unknown[] = []
  const app = Fastify()
  app.addHook('onResponse', async ({ delivery, verification, body }) => {
    left.push(delivery, verification, body)
  })
  app.register(webhookHandler(secret, ({ event }) => events.push(event), { url: '/' }))
  onTestFinished(() => app.close())
  expect((await app.inject(await signed(secret, '/'))).statusCode).toBe(204)
  expect(events).toEqual(['message.received'])
  expect(left).toEqual([undefined, undefined, undefined])
})

describeTesting({
  // It starts by timers.
  toFake: ['Date'],
  secret,
  deliverTo,
  create(work, seen) {
    const app = Fastify()
    app.addHook('onRequest', async ({ headers, url }, reply) => {
      reply.headers(seen(headers['x-tenant'], url))
    })
    return app.register(webhookHandler(secret, work, { url: '/hooks', onRejected: false }))
  },
})

describeHttp2('fastify', async (key, work, options) => {
  const app = Fastify({ http2: true }).register(webhookHandler(key, work, { url: '/', ...options }))
  await app.ready()
  // Its type is that of a listener for HTTP/2.
  return app.routing as unknown as RequestListener
})
