import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import {
  deliveryHandler,
  type Rejection,
  requireDelivery,
  WebhookError,
  type WebhookPluginOptions,
  type WebhookRoute,
  webhookPlugin,
} from '@webhook-receiver/fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'

const secret = 'whsec_fastify'

async function signed(key = secret) {
  const delivery = sampleDelivery('message.received')
  const { headers, body } = await signDelivery(key, delivery)
  return { delivery, headers: { ...headers }, payload: Buffer.from(body) }
}

/** An application whose webhook routes have a scope of their own, and one route outside of it. */
function application(options: Partial<WebhookPluginOptions> = {}): FastifyInstance {
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookPlugin, { secret, onRejected: false, ...options })
    scope.post<WebhookRoute>('/webhooks', async (request) => ({
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
  const app = application({ secret: { old: 'whsec_x', current: secret } })
  const { delivery, headers, payload } = await signed()
  const answer = await app.inject({ method: 'POST', url: '/webhooks', headers, payload })
  expect(answer.json()).toEqual({
    delivery: { ...delivery, known: true },
    body: true,
    name: 'current',
    same: true,
  })
})

test('the routes of other scopes keep their parser', async () => {
  const app = application()
  const json = await app.inject({ method: 'POST', url: '/api', payload: { a: 1 } })
  expect(json.json()).toEqual({ body: { a: 1 }, delivery: null })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = await app.inject({ method: 'POST', url: '/api', headers, payload: 'a=1' })
  expect(form.statusCode).toBe(415)
})

test('registered at the root it guards every route, also one that is declared before', async () => {
  const app = Fastify()
  app.post('/early', async () => 'let past')
  app.register(webhookPlugin, { secret, onRejected: false })
  app.post('/late', async () => 'let past')
  for (const url of ['/early', '/late']) {
    expect((await app.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(401)
    const { headers, payload } = await signed()
    expect((await app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
  }
})

test.each(['garbage', 'application/json, text/html', '', 'text/plain', undefined])(
  'takes a delivery under any Content-Type: %j',
  async (type) => {
    const app = application()
    const { headers, payload } = await signed()
    const { 'Content-Type': _, ...others } = headers
    const own = type === undefined ? others : { ...others, 'Content-Type': type }
    await app.listen({ port: 0 })
    onTestFinished(() => app.close())
    const answer = await app.inject({ method: 'POST', url: '/webhooks', headers: own, payload })
    expect(answer.statusCode).toBe(200)
  },
)

test('a scope inside another with receivers of their own verifies twice', async () => {
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookPlugin, { secret, onRejected: false })
    scope.register(async (inner) => {
      await inner.register(webhookPlugin, { secret, onRejected: false })
      inner.post('/webhooks', async () => 'done')
    })
  })
  const { headers, payload } = await signed()
  const answer = await app.inject({ method: 'POST', url: '/webhooks', headers, payload })
  expect(answer.statusCode).toBe(200)
})

test('the scope’s error handler gets the WebhookError', async () => {
  const errors: unknown[] = []
  const app = application()
  app.setErrorHandler((error, _request, reply) => {
    errors.push(error)
    return reply.code(401).send('mine')
  })
  const answer = await app.inject({ method: 'POST', url: '/webhooks', payload: '{}' })
  expect(answer.body).toBe('mine')
  expect(errors[0]).toBeInstanceOf(WebhookError)
})

test('Fastify’s own error handler sends the code, the message and the headers, and no more', async () => {
  const app = Fastify()
  app.register(webhookPlugin, { secret, onRejected: false })
  app.get('/webhooks', async () => 'let past')
  const answer = await app.inject({ method: 'GET', url: '/webhooks' })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST'])
  expect(answer.json()).toEqual({
    statusCode: 405,
    code: 'method_not_allowed',
    error: 'Method Not Allowed',
    message: 'method not allowed',
  })
})

test('what it sets is declared, so that Fastify can make every request of the scope alike', async () => {
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookPlugin, { secret })
    for (const name of ['delivery', 'verification']) {
      expect(scope.hasRequestDecorator(name)).toBe(true)
      expect(app.hasRequestDecorator(name)).toBe(false)
    }
  })
  await app.ready()
})

test('says its name, for plugins that depend on it, and which Fastify it needs', async () => {
  const app = Fastify()
  app.register(webhookPlugin, { secret })
  await app.ready()
  expect(app.hasPlugin('@webhook-receiver/fastify')).toBe(true)
  const meta = Reflect.get(webhookPlugin, Symbol.for('plugin-meta'))
  expect(meta).toMatchObject({ fastify: '>=4.23' })
})

test('another plugin that took the body first: 500 that says what to do', async () => {
  const rejections: Rejection[] = []
  const app = Fastify()
  app.addHook('preParsing', async (request) => {
    for await (const _chunk of request.raw);
  })
  app.register(webhookPlugin, {
    secret,
    onRejected: (rejection) => void rejections.push(rejection),
  })
  app.post('/webhooks', async () => 'let past')
  await app.listen({ port: 0 })
  onTestFinished(() => app.close())
  const { headers, payload } = await signed()
  const answer = await fetch(`${app.listeningOrigin}/webhooks`, {
    method: 'POST',
    headers,
    body: payload,
  })
  expect(answer.status).toBe(500)
  expect(rejections).toMatchObject([{ reason: 'body_already_read' }])
  expect(rejections[0]?.detail).toMatch(/separate scope/)
})

test('a refused body over the limit is answered by the plugin, and the hooks behind it rest', async () => {
  const app = Fastify()
  const ran: string[] = []
  app.addHook('preValidation', async () => void ran.push('preValidation'))
  app.register(webhookPlugin, { secret, limit: 1000, onRejected: false })
  app.post('/webhooks', async () => void ran.push('handler'))
  await app.listen({ port: 0 })
  onTestFinished(() => app.close())
  const { headers } = await signed()
  const body = Buffer.alloc(2_000_000)
  const answer = await fetch(`${app.listeningOrigin}/webhooks`, { method: 'POST', headers, body })
  expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close'])
  expect(await answer.json()).toMatchObject({ code: 'body_too_large' })
  expect(ran).toEqual([])
})

test('a secret function gets the request', async () => {
  const app = application({ secret: (request) => `whsec_${request.headers.host}` })
  const { headers, payload } = await signed('whsec_acme')
  const inject = { method: 'POST', url: '/webhooks', payload } as const
  const acme = await app.inject({ ...inject, headers: { ...headers, host: 'acme' } })
  const other = await app.inject({ ...inject, headers: { ...headers, host: 'other' } })
  expect([acme.statusCode, other.statusCode]).toEqual([200, 401])
})

test('register’s own options are not taken for the receiver’s', async () => {
  const app = Fastify()
  const own = { prefix: '/v1', logLevel: 'warn', logSerializers: { req: () => '' } } as const
  app.register(webhookPlugin, { secret, ...own })
  await expect(app.ready()).resolves.toBeDefined()
})

test.each([
  [{}, /The secret is undefined: is its environment variable set/],
  [{ secret: '' }, /The secret is empty/],
  [{ secret, limit: 'banana' }, /`limit` should be a whole number of bytes/],
])('is a TypeError when the application starts: %j', async (options, message) => {
  const app = Fastify()
  Reflect.apply(app.register, app, [webhookPlugin, options])
  await expect(async () => app.ready()).rejects.toThrow(message)
})

test('requireDelivery throws where no plugin guards the route', () => {
  expect(() => requireDelivery({})).toThrow(
    expect.objectContaining({ reason: 'delivery_missing', status: 500 }),
  )
})

test('is a TypeError when the application starts where the plugin was called', async () => {
  const app = Fastify()
  Reflect.apply(app.register, app, [Reflect.apply(webhookPlugin, undefined, [{ secret }])])
  await expect(async () => app.ready()).rejects.toThrow(TypeError)
  const again = Fastify()
  Reflect.apply(again.register, again, [Reflect.apply(webhookPlugin, undefined, [secret])])
  await expect(async () => again.ready()).rejects.toThrow(
    'Write app.register(webhookPlugin, { secret })',
  )
})

test.each([
  ['the plugin as a hook', { preHandler: webhookPlugin }, 'Write app.register(webhookPlugin, { s'],
  ['deliveryHandler', { handler: deliveryHandler }, 'write deliveryHandler({ … }), not'],
])('answers 500 and says what to write: %s, not called', async (_, route, advice) => {
  const errors: unknown[] = []
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => {
    errors.push(error)
    return reply.code(500).send('no')
  })
  const handler = async () => 'the handler ran'
  Reflect.apply(app.route, app, [{ method: 'POST', url: '/webhooks', handler, ...route }])
  const { headers, payload } = await signed()
  const answer = await app.inject({ method: 'POST', url: '/webhooks', headers, payload })
  expect([answer.statusCode, answer.body]).toEqual([500, 'no'])
  expect(errors).toEqual([expect.any(TypeError)])
  expect(String(errors[0])).toContain(advice)
})

test.each([
  ['off', false, '127.0.0.1'],
  ['on', true, '203.0.113.9'],
  ['the address of the proxy', '127.0.0.1', '198.51.100.7'],
])('goes by X-Forwarded-For where trustProxy is %s', async (_, trustProxy, address) => {
  const rejections: Rejection[] = []
  const onRejected = (rejection: Rejection) => void rejections.push(rejection)
  const app = Fastify({ trustProxy })
  app.register(webhookPlugin, { secret, onRejected })
  app.post('/webhooks', async () => 'let past')
  const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }
  await app.inject({ method: 'POST', url: '/webhooks', headers })
  expect(rejections).toMatchObject([{ remote: { address } }])
})
