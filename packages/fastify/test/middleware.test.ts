import type { SecretSource } from '@webhook-receiver/core'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import {
  type Rejection,
  requireDelivery,
  WebhookError,
  type WebhookMiddlewareOptions,
  type WebhookRoute,
  webhookHandler,
  webhookMiddleware,
} from '@webhook-receiver/fastify'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const secret = 'whsec_fastify'
const quiet = { onRejected: false } as const

/** What to inject: a delivery to '/webhooks'. */
async function signed(key = secret, url = '/webhooks') {
  const delivery = sampleDelivery('message.received')
  const { headers, body } = await signDelivery(key, delivery)
  const payload = Buffer.from(body)
  return { delivery, method: 'POST', url, headers: { ...headers }, payload } as const
}

/** An application whose webhook routes have a scope of their own, and one route outside of it. */
function application(
  options: WebhookMiddlewareOptions = quiet,
  source: SecretSource<FastifyRequest> = secret,
): FastifyInstance {
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookMiddleware(source, options))
    scope.all<WebhookRoute>('/webhooks', async (request) => ({
      delivery: request.delivery,
      body: request.body === request.delivery,
      name: request.verification.secretName,
      same: requireDelivery(request) === request.delivery,
    }))
  })
  app.post('/api', async (request) => ({ body: request.body, delivery: request.delivery ?? null }))
  return app
}

test('sets the delivery, how it was verified, and the delivery as the body', async () => {
  const { delivery, ...request } = await signed()
  const response = await application(quiet, { old: 'whsec_x', current: secret }).inject(request)
  expect(response.json()).toEqual({
    delivery: { ...delivery, known: true },
    body: true,
    name: 'current',
    same: true,
  })
})

test.each([
  ['webhookMiddleware', () => application()],
  [
    'webhookHandler',
    () => {
      const app = Fastify()
      app.register(webhookHandler(secret, { any() {} }, { url: '/webhooks' }))
      app.post('/api', async ({ body, delivery = null }) => ({ body, delivery }))
      return app
    },
  ],
])('the routes outside the scope of %s keep their parsers', async (_name, create) => {
  const app = create()
  const json = await app.inject({ method: 'POST', url: '/api', payload: { a: 1 } })
  expect(json.json()).toEqual({ body: { a: 1 }, delivery: null })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = await app.inject({ method: 'POST', url: '/api', headers, payload: 'a=1' })
  expect(form.statusCode).toBe(415)
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
  const statuses = ['/v1/webhooks', '/webhooks', '/v1/webhooks/sub'].map(
    async (url) => (await app.inject(await signed(secret, url))).statusCode,
  )
  expect(await Promise.all(statuses)).toEqual([204, 404, 404])
  expect(work).toHaveBeenCalledOnce()
})

test.each(['garbage', 'application/json, text/html', '', 'text/plain', undefined])(
  'takes a delivery under any Content-Type: %j',
  async (type) => {
    const { headers, ...request } = await signed()
    const { 'Content-Type': _, ...others } = headers
    const own = type === undefined ? others : { ...others, 'Content-Type': type }
    expect((await application().inject({ ...request, headers: own })).statusCode).toBe(200)
  },
)

test('a scope inside another, each with a receiver, verifies twice', async () => {
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookMiddleware(secret, quiet))
    scope.register(webhookHandler(secret, { any() {} }, { ...quiet, url: '/webhooks' }))
  })
  expect((await app.inject(await signed())).statusCode).toBe(204)
})

test('what the handler behind the middleware throws goes to the error handler unchanged', async () => {
  const error = new Error('the database is down')
  const onError = vi.fn()
  const app = Fastify()
  app.setErrorHandler((given, _request, reply) => {
    onError(given)
    return reply.code(418).send('mine')
  })
  app.register(async (scope) => {
    await scope.register(webhookMiddleware(secret))
    scope.post('/webhooks', () => Promise.reject(error))
  })
  const response = await app.inject(await signed())
  expect([response.statusCode, response.body]).toEqual([418, 'mine'])
  expect(onError).toHaveBeenCalledExactlyOnceWith(error)
})

describe('forwardErrors', () => {
  const forward = { ...quiet, forwardErrors: true }

  test('brings rejections to the error handler of the scope', async () => {
    const errors: unknown[] = []
    const app = application(forward)
    app.setErrorHandler((error, _request, reply) => {
      errors.push(error)
      return reply.code(418).send('mine')
    })
    for (const method of ['POST', 'PUT'] as const) {
      const response = await app.inject({ method, url: '/webhooks', payload: '{}' })
      expect([response.statusCode, response.body]).toEqual([418, 'mine'])
    }
    expect(errors).toMatchObject([
      { reason: 'signature_missing', status: 401 },
      { reason: 'method_not_allowed', status: 405, headers: { Allow: 'POST' } },
    ])
  })

  test('to that of Fastify itself, which sends the code, the message and the headers', async () => {
    const response = await application(forward).inject({ method: 'PUT', url: '/webhooks' })
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'POST'])
    expect(response.json()).toEqual({
      statusCode: 405,
      code: 'method_not_allowed',
      error: 'Method Not Allowed',
      message: 'method not allowed',
    })
  })

  test('brings what a handler of webhookHandler throws as the cause of a WebhookError', async () => {
    const cause = new Error('the database is down')
    const [onError, onRouteError] = [vi.fn(), vi.fn()]
    const app = Fastify()
    app.setErrorHandler((error, _request, reply) => {
      onRouteError(error)
      return reply.code(418).send('mine')
    })
    const fail = () => Promise.reject(cause)
    app.register(webhookHandler(secret, fail, { url: '/webhooks', onError, forwardErrors: true }))
    const response = await app.inject(await signed())
    expect([response.statusCode, response.body]).toEqual([418, 'mine'])
    expect(onError).toHaveBeenCalledExactlyOnceWith(cause, {
      delivery: expect.objectContaining({ event: 'message.received' }),
      request: expect.objectContaining({ method: 'POST', url: '/webhooks' }),
    })
    const [[error] = []] = onRouteError.mock.calls
    expect(error).toBeInstanceOf(WebhookError)
    expect(error).toMatchObject({ reason: 'handler_failed', status: 500, cause })
  })

  test('does not bring it a body over the limit, which it could not respond to', async () => {
    const ran: string[] = []
    const app = application({ ...forward, limit: 1000 })
    app.addHook('preValidation', async () => void ran.push('preValidation'))
    app.setErrorHandler(async () => void ran.push('error handler'))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.close())
    const { headers } = await signed()
    const body = Buffer.alloc(2_000_000)
    const response = await fetch(`${url}/webhooks`, { method: 'POST', headers, body })
    expect([response.status, response.headers.get('connection')]).toEqual([413, 'close'])
    expect(await response.json()).toMatchObject({ code: 'body_too_large' })
    expect(ran).toEqual([])
  })
})

test.each([
  [
    Object.assign(new TypeError('broken off', { cause: new Error('deeper') }), {
      code: 'ERR_BAD_REQUEST',
      config: { headers: { Authorization: 'Bearer MARK' } },
      detail: 'MARK',
    }),
    /"type":"TypeError","message":"broken off","stack":"TypeError: broken off\\n.*cause: Error: deeper\\n.*"code":"ERR_BAD_REQUEST"/,
  ],
  ['broken off', /"type":"Error","message":"broken off","stack":"broken off"/],
])('what a handler throws is in the log of Fastify, and not printed: %s', async (thrown, text) => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => print.mockRestore())
  const logged: string[] = []
  const stream = { write: (line: string) => void logged.push(line) }
  const app = Fastify({ logger: { level: 'warn', stream } })
  app.register(webhookHandler(secret, () => Promise.reject(thrown), { url: '/webhooks' }))
  const { delivery, ...request } = await signed()
  expect((await app.inject(request)).statusCode).toBe(500)
  expect(logged).toEqual([expect.stringMatching(text)])
  expect(logged[0]).toContain('"reqId":"req-1"')
  expect(logged[0]).not.toContain('MARK')
  expect(JSON.parse(logged[0] ?? '').msg).toBe(
    `The handler failed at /webhooks (event "message.received", id "${delivery.id}"). The status is 500.`,
  )
  expect(print).not.toHaveBeenCalled()
})

test('what it sets is declared, so that Fastify can make every request of the scope alike', async () => {
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookMiddleware(secret))
    for (const name of ['delivery', 'verification']) {
      expect(scope.hasRequestDecorator(name)).toBe(true)
      expect(app.hasRequestDecorator(name)).toBe(false)
    }
  })
  await app.ready()
})

test('has a name, for plugins that depend on it, and says which Fastify it needs', async () => {
  const plugin = webhookMiddleware(secret)
  const app = Fastify()
  app.register(plugin)
  await app.ready()
  expect(app.hasPlugin('@webhook-receiver/fastify')).toBe(true)
  const meta = Reflect.get(plugin, Symbol.for('plugin-meta'))
  expect(meta).toMatchObject({ fastify: '>=4.23' })
})

test('another plugin that took the body first: 500 that says what to do', async () => {
  const onRejected = vi.fn<(rejection: Rejection) => void>()
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
  expect(onRejected).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      reason: 'body_already_read',
      detail: expect.stringContaining('Register the receiver in a separate scope'),
    }),
  )
})

test('a secret function gets the request', async () => {
  const app = application(quiet, (request) => `whsec_${request.headers.host}`)
  const { headers, ...request } = await signed('whsec_acme')
  const acme = await app.inject({ ...request, headers: { ...headers, host: 'acme' } })
  const other = await app.inject({ ...request, headers: { ...headers, host: 'other' } })
  expect([acme.statusCode, other.statusCode]).toEqual([200, 401])
})

test.each([
  [undefined, {}, /The secret is undefined: is its environment variable set/],
  [secret, { limit: 'banana' }, /`limit` should be a whole number of bytes/],
  [secret, { forwardErrors: 1 }, /`forwardErrors` should be/],
  [secret, { url: '/webhooks' }, /There is no option "url"/],
])('webhookMiddleware is a TypeError at start: secret %j with %j', (given, options, message) => {
  expect(() => Reflect.apply(webhookMiddleware, undefined, [given, options])).toThrow(message)
})

test.each([
  [undefined, /`url` should be the URL of the route, such as '\/webhooks'/],
  [{ url: 'webhooks' }, /`url` should be the URL of the route/],
  [{ url: '/webhooks', onError: 1 }, /`onError` should be a function/],
])('webhookHandler is a TypeError at start with %j', (options, message) => {
  const call = () => Reflect.apply(webhookHandler, undefined, [secret, { any() {} }, options])
  expect(call).toThrow(TypeError)
  expect(call).toThrow(message)
})

test('requireDelivery throws where no receiver protects the route', () => {
  vi.spyOn(console, 'error').mockReturnValueOnce()
  expect(() => requireDelivery({})).toThrow(
    expect.objectContaining({ reason: 'delivery_missing', status: 500 }),
  )
})

test.each([
  ['forwarded, with a logger: by Fastify', true, true, 1, 0],
  ['forwarded, without one: on standard error', true, false, 0, 1],
  ['with a logger: by that', false, true, 1, 0],
  ['without one: on standard error', false, false, 0, 1],
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
  print.mockRestore()
})

test.each([
  ['app.register(webhookMiddleware(secret))', webhookMiddleware],
  ["app.register(webhookHandler(secret, handlers, { url: '/webhooks' }))", webhookHandler],
])('says what to write where it was registered without being called: %s', async (call, plugin) => {
  const app = Fastify()
  Reflect.apply(app.register, app, [plugin])
  await expect(app.ready()).rejects.toThrow(`registered without being called: write ${call}.`)
})

test.each([
  ['webhookMiddleware', 'write webhookMiddleware(secret), not', webhookMiddleware],
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

test.each([
  ['off', false, '127.0.0.1'],
  ['on', true, '203.0.113.9'],
  ['the address of the proxy', '127.0.0.1', '198.51.100.7'],
])('goes by X-Forwarded-For where trustProxy is %s', async (_, trustProxy, address) => {
  const onRejected = vi.fn<(rejection: Rejection) => void>()
  const app = Fastify({ trustProxy })
  app.register(webhookHandler(secret, { any() {} }, { url: '/webhooks', onRejected }))
  const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }
  await app.inject({ method: 'POST', url: '/webhooks', headers })
  expect(onRejected.mock.calls).toMatchObject([[{ remote: { address } }]])
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
