import { sampleDelivery, signedRequest } from '@webhook-receiver/core/testing'
import {
  deliveryHandler,
  type Rejection,
  requireDelivery,
  WebhookError,
  webhookMiddleware,
} from '@webhook-receiver/hono'
import { Hono } from 'hono'
import { validator } from 'hono/validator'
import { describe, expect, test } from 'vitest'

const secret = 'whsec_hono'

/** A genuine delivery, or a request with `body` under its headers. */
async function delivered(body?: string, key = secret): Promise<Request> {
  const genuine = await signedRequest(key, 'message.received')
  if (body === undefined) return genuine
  return new Request(genuine.url, { method: 'POST', headers: genuine.headers, body })
}

test('sets the delivery and how it was verified', async () => {
  const delivery = sampleDelivery('message.received')
  const app = new Hono()
  app.post('/webhooks', webhookMiddleware({ old: 'whsec_x', current: secret }), (c) =>
    c.json([c.var.delivery, c.var.verification.secretName, requireDelivery(c) === c.var.delivery]),
  )
  const answer = await app.request(await signedRequest(secret, delivery))
  expect(await answer.json()).toEqual([{ ...delivery, known: true }, 'current', true])
})

test('what is kept for that has one shape: V8 would keep each other one, and the body with it', async () => {
  const getters = new Set<unknown>()
  const app = new Hono()
  app.post('/webhooks', webhookMiddleware(secret), (c) => {
    getters.add(Object.getOwnPropertyDescriptor(c.req.bodyCache, 'arrayBuffer')?.get)
    return c.body(null, 204)
  })
  for (const _ of [1, 2]) expect((await app.request(await delivered())).status).toBe(204)
  expect([...getters]).toEqual([expect.any(Function)])
})

test('the body can still be read behind it, in every form, and more than once', async () => {
  const app = new Hono()
  app.post('/webhooks', webhookMiddleware(secret), async (c) => {
    const text = await c.req.text()
    const json = await c.req.json()
    const buffer = await c.req.arrayBuffer()
    const blob = await c.req.blob()
    new Uint8Array(buffer).fill(0)
    const raw = new TextDecoder().decode(c.var.verification.rawBody)
    const again = await c.req.text()
    return c.json([text, json.event, buffer.byteLength, blob.size, raw === text, again === text])
  })
  const request = await delivered()
  const text = await request.clone().text()
  const { length } = new TextEncoder().encode(text)
  const answer = await app.request(request)
  expect(await answer.json()).toEqual([text, 'message.received', length, length, true, true])
})

test('a validator behind it works', async () => {
  const app = new Hono()
  const check = validator('json', (value) => ({ id: value.id }))
  app.post('/webhooks', webhookMiddleware(secret), check, (c) => c.json(c.req.valid('json').id))
  expect(await (await app.request(await delivered())).json()).toMatch(/^[0-9a-f-]{36}$/)
})

describe('behind something that read the body', () => {
  test.each(['json', 'text', 'blob'] as const)('as %s: 500 that names it', async (form) => {
    const rejections: Rejection[] = []
    const app = new Hono()
    app.use(async (c, next) => {
      await c.req[form]()
      await next()
    })
    app.post(
      '/webhooks',
      webhookMiddleware(secret, { onRejected: (rejection) => void rejections.push(rejection) }),
      (c) => c.text('let past'),
    )
    const answer = await app.request(await delivered())
    expect(answer.status).toBe(500)
    expect(rejections).toMatchObject([{ reason: 'body_already_read', code: 'receiver_error' }])
    expect(rejections[0]?.detail).toMatch(/read as (text|blob) by a validator/)
    expect(rejections[0]?.detail).toMatch(/Mount webhookMiddleware before it\.$/)
  })

  test('as bytes that Hono keeps: they are verified', async () => {
    const app = new Hono()
    app.use(async (c, next) => {
      await c.req.arrayBuffer()
      await next()
    })
    app.post('/webhooks', webhookMiddleware(secret, { onRejected: false }), (c) => c.text('done'))
    expect((await app.request(await delivered())).status).toBe(200)
    expect((await app.request(await delivered('{}'))).status).toBe(401)
  })

  test('without Hono’s knowledge: 500', async () => {
    const app = new Hono()
    app.use(async (c, next) => {
      await c.req.raw.text()
      await next()
    })
    app.post('/webhooks', webhookMiddleware(secret, { onRejected: false }), (c) => c.text('past'))
    expect((await app.request(await delivered())).status).toBe(500)
  })
})

test('two receivers in a row verify the same bytes', async () => {
  const app = new Hono()
  app.use(webhookMiddleware(secret))
  app.post('/webhooks', webhookMiddleware(secret), (c) => c.json(c.var.delivery.event))
  expect((await app.request(await delivered())).status).toBe(200)
})

test('Hono answers a refusal by itself, with what a sender may know', async () => {
  const app = new Hono()
  app.all('/webhooks', webhookMiddleware(secret, { onRejected: false }), (c) => c.text('let past'))
  const answers = [
    await app.request(await delivered('{}')),
    await app.request(await delivered(undefined, 'whsec_other')),
    await app.request('/webhooks', { method: 'POST' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
  const bodies = await Promise.all(answers.map((answer) => answer.text()))
  expect(new Set(bodies).size).toBe(1)
  const get = await app.request('/webhooks')
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
})

test('the application’s error handler gets the WebhookError', async () => {
  const app = new Hono()
  app.use(webhookMiddleware(secret, { onRejected: false }))
  app.onError((error, c) => c.text(error instanceof WebhookError ? error.reason : 'other', 418))
  const answer = await app.request(await delivered('{}'))
  expect([answer.status, await answer.text()]).toEqual([418, 'signature_mismatch'])
})

test('a secret function gets the context, with the bindings of the runtime', async () => {
  const app = new Hono<{ Bindings: { WEBHOOK_SECRET: string } }>()
  app.post(
    '/webhooks',
    webhookMiddleware((c) => c.env.WEBHOOK_SECRET, { onRejected: false }),
    (c) => c.text('done'),
  )
  const bound = await app.request(await delivered(), undefined, { WEBHOOK_SECRET: secret })
  const other = await app.request(await delivered(), undefined, { WEBHOOK_SECRET: 'whsec_other' })
  const unset = await app.request(await delivered(), undefined, {})
  expect([bound.status, other.status, unset.status]).toEqual([200, 401, 503])
  expect(unset.headers.get('retry-after')).toBe('10')
})

test('requireDelivery throws where no receiver stands in front', () => {
  expect(() => requireDelivery({ var: {} })).toThrow(
    expect.objectContaining({ reason: 'delivery_missing', status: 500 }),
  )
})

test.each([
  [undefined, {}, /The secret is undefined: is its environment variable set/],
  [secret, { limit: 'banana' }, /`limit` should be a whole number of bytes/],
])('is a TypeError at start: secret %j with %j', (given, options, message) => {
  expect(() => Reflect.apply(webhookMiddleware, undefined, [given, options])).toThrow(message)
})

test.each([
  ['webhookMiddleware(secret)', () => [webhookMiddleware]],
  ['deliveryHandler({ … })', () => [webhookMiddleware(secret), deliveryHandler]],
])('says what to write where %s was mounted without being called', async (call, mounted) => {
  const errors: unknown[] = []
  const app = new Hono()
  app.onError((error, c) => {
    errors.push(error)
    return c.text('no', 500)
  })
  // Not by app.use itself: the compiler refuses this.
  for (const middleware of mounted()) Reflect.apply(app.use, app, [middleware])
  app.post('/webhooks', (c) => c.text('the handler ran'))
  expect((await app.request(await delivered())).status).toBe(500)
  expect(errors).toEqual([expect.any(TypeError)])
  expect(String(errors[0])).toContain(`mounted without being called: write ${call}, not`)
})
