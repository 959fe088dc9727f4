import 'reflect-metadata'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { serve } from '@hono/node-server'
import Router from '@koa/router'
import { All, Controller, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import * as lambda from '@webhook-receiver/aws-lambda'
import { memoryStore, reply, type Scheme, webhookHandler } from '@webhook-receiver/core'
import { signDelivery } from '@webhook-receiver/core/testing'
import * as express from '@webhook-receiver/express'
import * as fastify from '@webhook-receiver/fastify'
import * as hono from '@webhook-receiver/hono'
import * as koa from '@webhook-receiver/koa'
import { OnDelivery, WebhookEndpoint, WebhookModule } from '@webhook-receiver/nestjs'
import * as node from '@webhook-receiver/node'
import {
  discordInteractions,
  meta,
  slack,
  standardWebhooks,
  twilio,
} from '@webhook-receiver/schemes'
import Express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { afterEach, describe, expect, test, vi } from 'vitest'

/** What a handler is made of, in the types of none of the adapters. */
type Given = readonly [secret: string, handlers: never, options: never]
/** Starts an application with a handler on every method of `/hook`; resolves to its port. */
type Start = (...given: Given) => Promise<number>

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function fromNest(secret: string, handlers: unknown, options: object): Promise<number> {
  class Receiving {
    receive() {}
    work(delivery: unknown, context: unknown) {
      return Reflect.apply(handlers as never, undefined, [delivery, context])
    }
  }
  const decorate = (name: 'receive' | 'work', ...decorators: readonly MethodDecorator[]) => {
    const descriptor = Object.getOwnPropertyDescriptor(Receiving.prototype, name) ?? {}
    for (const one of decorators) one(Receiving.prototype, name, descriptor)
    Object.defineProperty(Receiving.prototype, name, descriptor)
  }
  decorate('receive', All('hook'), WebhookEndpoint())
  decorate('work', OnDelivery('any') as MethodDecorator)
  Controller()(Receiving)
  class Application {}
  const imports = [WebhookModule.forRoot({ secret, ...options } as never)]
  Module({ imports, controllers: [Receiving] })(Application)
  const app = await NestFactory.create(Application, { logger: false })
  await app.listen(0, '127.0.0.1')
  closing.push(() => app.close())
  return app.getHttpServer().address().port
}

/** A server that makes of each request what API Gateway makes of it. */
function fromLambda(...given: Given): Promise<number> {
  const handler = lambda.webhookHandler(...given)
  return listening(
    createServer(async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk)
      const [rawPath = '', rawQueryString = ''] = (req.url ?? '').split(/\?(.*)/s)
      const result = await handler({
        headers: req.headers as Record<string, string>,
        ...{ rawPath, rawQueryString, isBase64Encoded: true },
        body: Buffer.concat(chunks).toString('base64'),
        requestContext: { http: { method: req.method ?? '' } },
      })
      const body = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8')
      res.writeHead(result.statusCode, result.headers).end(body)
    }),
  )
}

/** A server that makes a web-standard Request of each request. */
function fromRequests(...given: Given): Promise<number> {
  return new Promise((resolve) => {
    const POST = webhookHandler(...given)
    const server = serve({ fetch: (request) => POST(request), port: 0 }, ({ port }) =>
      resolve(port),
    )
    closing.push(() => server.close())
  })
}

const FRAMEWORKS: Readonly<Record<string, Start>> = {
  express: (...given) =>
    listening(createServer(Express().all('/hook', express.webhookHandler(...given)))),
  koa: (...given) => {
    const router = new Router().all('/hook', koa.webhookHandler(...given))
    return listening(createServer(new Koa().use(router.routes()).callback()))
  },
  fastify: async (secret, handlers, options: object) => {
    const app = Fastify()
    app.register(fastify.webhookHandler(secret, handlers, { ...options, url: '/hook' }))
    await app.listen({ port: 0, host: '127.0.0.1' })
    closing.push(() => app.close())
    return (app.server.address() as AddressInfo).port
  },
  hono: (...given) =>
    new Promise((resolve) => {
      const app = new Hono().all('/hook', hono.webhookHandler(...given))
      const server = serve({ fetch: app.fetch, port: 0 }, ({ port }) => resolve(port))
      closing.push(() => server.close())
    }),
  node: (...given) => listening(createServer(node.webhookHandler(...given))),
  'aws-lambda': fromLambda,
  nestjs: fromNest,
  Request: fromRequests,
}

interface Sent {
  readonly status: number
  readonly type: string | null
  readonly body: string
  readonly headers: Headers
}

async function send(port: number, target: string, init: RequestInit = {}): Promise<Sent> {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, init)
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1')
  const { status, headers } = response
  return { status, type: headers.get('content-type'), body, headers }
}

const SECRET = `whsec_${Buffer.from('0123456789abcdef').toString('base64')}`
const ORIGIN = 'https://example.com'

async function post(port: number, scheme: Scheme, body: object, id = 'msg_1'): Promise<Sent> {
  const url = `${ORIGIN}/hook`
  const signed = await signDelivery(SECRET, body, { scheme, id, url })
  return await send(port, '/hook', { method: 'POST', ...signed } as RequestInit)
}

/** By node:crypto, which shares nothing with the product. */
const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(text).digest(encoding)

const start = (name: string, handler: unknown, options: object): Promise<number> =>
  (FRAMEWORKS[name] as Start)(SECRET, handler as never, options as never)

describe.each(Object.keys(FRAMEWORKS))('on %s', (name) => {
  test('a TwiML reply, the reply to a Slack command, JSON, and bytes are what is sent', async () => {
    const twiml = '<Response><Message>Hi</Message></Response>'
    const xml = () => reply({ body: twiml, headers: { 'Content-Type': 'text/xml' } })
    const toTwilio = await start(name, xml, { scheme: twilio, publicUrl: ORIGIN })
    expect(await post(toTwilio, twilio, { Body: 'Hello' })).toMatchObject({
      ...{ status: 200, type: 'text/xml', body: twiml },
    })

    const json = async () => reply({ status: 201, body: { text: 'Done: ä' } })
    const toSlack = await start(name, json, { scheme: slack, store: memoryStore() })
    expect(
      await post(toSlack, slack, { event: { type: 'message' }, event_id: 'Ev1' }),
    ).toMatchObject({ status: 201, type: 'application/json', body: '{"text":"Done: Ã¤"}' })
    expect(
      await post(toSlack, slack, { event: { type: 'message' }, event_id: 'Ev1' }),
      'a duplicate gets the plain success of the service',
    ).toMatchObject({ status: 200, body: '' })

    const bytes = () => reply({ body: Uint8Array.of(0, 255, 128), headers: { 'x-a': 'b' } })
    const sent = await post(
      await start(name, bytes, { scheme: standardWebhooks }),
      standardWebhooks,
      {},
    )
    expect(sent).toMatchObject({
      status: 200,
      type: 'application/octet-stream',
      body: '\0\xff\x80',
    })
    expect(sent.headers.get('x-a')).toBe('b')
  })

  test('a command of Slack, a hook of Supabase and an interaction of Discord get their reply', async () => {
    const slackSays = () => reply({ body: { response_type: 'in_channel', text: 'Deployed.' } })
    const toSlack = await start(name, slackSays, { scheme: slack })
    const time = `${Math.floor(Date.now() / 1000)}`
    const command = 'command=%2Fdeploy&text=now&trigger_id=13.37'
    expect(
      await send(toSlack, '/hook', {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-slack-request-timestamp': time,
          'x-slack-signature': `v0=${hmac(SECRET, `v0:${time}:${command}`, 'hex')}`,
        },
        body: command,
      }),
    ).toMatchObject({ status: 200, body: '{"response_type":"in_channel","text":"Deployed."}' })

    // As its dashboard shows the secret of a hook.
    const startWith = FRAMEWORKS[name] as Start
    const decide = ({ data }: { data: { user?: object } }) =>
      data.user ? reply({ body: {} }) : reply({ status: 400, body: { error: 'no user' } })
    const options = { scheme: standardWebhooks }
    const toHook = await startWith(`v1,${SECRET}`, decide as never, options as never)
    for (const [body, status] of [
      ['{"user":{}}', 200],
      ['{}', 400],
    ] as const) {
      const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
      const signature = `v1,${hmac(key, `msg_1.${time}.${body}`, 'base64')}`
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': time }
      const init = { method: 'POST', headers: { ...headers, 'webhook-signature': signature }, body }
      expect((await send(toHook, '/hook', init)).status).toBe(status)
    }

    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const hexOf = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
    const pong = () => reply({ body: { type: 4, data: { content: 'Pong' } } })
    const toDiscord = await startWith(
      hexOf,
      pong as never,
      { scheme: discordInteractions } as never,
    )
    for (const [type, expected] of [
      [1, '{"type":1}'],
      [2, '{"type":4,"data":{"content":"Pong"}}'],
    ] as const) {
      const body = JSON.stringify({ id: '1', type })
      const signature = sign(null, Buffer.from(time + body), privateKey).toString('hex')
      const headers = { 'x-signature-timestamp': time, 'x-signature-ed25519': signature }
      const sent = await send(toDiscord, '/hook', { method: 'POST', headers, body })
      expect([sent.status, sent.type, sent.body]).toEqual([200, 'application/json', expected])
    }
  })

  test('a reply of 429 or 5xx releases the claim, and the retry runs', async () => {
    const statuses = [429, 503, 200]
    const handler = vi.fn(async () => reply({ status: statuses.shift() ?? 500 }))
    const port = await start(name, handler, { scheme: standardWebhooks, store: memoryStore() })
    const results = []
    for (let times = 0; times < 4; times++) results.push(await post(port, standardWebhooks, {}))
    expect(results.map(({ status }) => status)).toEqual([429, 503, 200, 204])
    expect(handler).toHaveBeenCalledTimes(3)
  })

  test('what else is returned is ignored, and what is thrown is 500, a reply too', async () => {
    for (const returned of [new Response('no', { status: 418 }), { status: 418 }, 'text', 418]) {
      const port = await start(name, () => returned, { scheme: standardWebhooks })
      expect(await post(port, standardWebhooks, {})).toMatchObject({ status: 204, body: '' })
    }
    const thrower = () => {
      throw reply({ status: 200 })
    }
    const port = await start(name, thrower, { scheme: standardWebhooks, onError: () => {} })
    expect((await post(port, standardWebhooks, {})).status).toBe(500)
  })

  test('a reply that comes after the timeout is not sent', async () => {
    let finish: ((value: unknown) => void) | undefined
    const handler = () => new Promise((resolve) => (finish = resolve))
    const options = {
      scheme: standardWebhooks,
      store: memoryStore(),
      timeout: 0.05,
      onRejected: false,
    }
    const port = await start(name, handler, options)
    expect((await post(port, standardWebhooks, {})).status).toBe(503)
    finish?.(reply({ body: 'late' }))
  })

  test('a check of Meta by GET gets its challenge; with another token it gets 403', async () => {
    const handler = vi.fn()
    const onHandshake = vi.fn()
    const verifyToken = 'let-me-in'
    const options = { scheme: meta, verifyToken, onHandshake, onRejected: false }
    const port = await start(name, handler, options)
    const query = (token: string, challenge = '1158201444') =>
      `/hook?hub.mode=subscribe&hub.challenge=${challenge}&hub.verify_token=${token}`
    const { headers, ...sent } = await send(port, query(verifyToken))
    expect(sent).toEqual({ status: 200, type: 'text/plain; charset=utf-8', body: '1158201444' })
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(onHandshake.mock.calls).toMatchObject([[{ name: 'hub.challenge' }]])
    for (const target of [
      query('guess'),
      query(''),
      query(verifyToken, '%3Cscript%3E'),
      query(verifyToken, 'a'.repeat(257)),
      `${query(verifyToken)}&hub.challenge=2`,
      `${query('guess')}&hub.verify_token=${verifyToken}`,
    ]) {
      expect((await send(port, target)).status, target).toBe(403)
    }
    for (const target of ['/hook', '/hook?hub.mode=unsubscribe', '/hook?hub.challenge=1']) {
      expect((await send(port, target)).status, target).toBe(405)
    }
    expect((await post(port, meta, { object: 'page', entry: [] })).status).toBe(200)
    expect(handler).toHaveBeenCalledTimes(1)
  })

  test('unsigned GETs of all kinds run no handler, and nothing is echoed but a word', async () => {
    const handler = vi.fn()
    const options = { scheme: meta, verifyToken: 'T', onRejected: false }
    const port = await start(name, handler, options)
    const random = seeded(name.length)
    const pick = (texts: readonly string[]) => texts[Math.floor(random() * texts.length)] ?? ''
    for (let times = 0; times < GETS; times++) {
      const fields = Array.from({ length: Math.floor(random() * 6) }, () => {
        return `${pick(NAMES)}${pick(['=', '=', '=', '', '=='])}${pick(VALUES)}`
      })
      const head = await firstLines(
        port,
        `/hook${pick(['?', '?', '??', '#'])}${fields.join(pick(['&', '&', ';']))}`,
      )
      const [, status, body = ''] = /^HTTP\/1\.1 (\d+).*?\r\n\r\n(.*)$/s.exec(head) ?? []
      expect(['200', '400', '403', '405'], head).toContain(status)
      if (status === '200')
        expect(body).toMatch(/^(?:[\da-f]+\r\n)?[\w.-]{1,256}(?:\r\n0\r\n\r\n)?$/)
    }
    expect(handler).not.toHaveBeenCalled()
  })
})

test.each([
  [{ status: 199 }, /`status` of a reply/],
  [{ status: 600 }, /`status` of a reply/],
  [{ status: 204, body: '' }, /has no body/],
  [{ headers: { 'a b': '' } }, /cannot have the header "a b"/],
  [{ headers: { 'Content-Length': '1' } }, /cannot have the header/],
  [{ headers: { a: 'b\r\nc: d' } }, /without line breaks/],
  [{ headers: { a: 1 } }, /should be a string/],
  [{ body: () => {} }, /should be text, bytes or a value that JSON has/],
  ['text', /A reply takes an object/],
])('a reply that cannot be sent is a TypeError: %j', (given, text) => {
  expect(() => reply(given as never)).toThrow(TypeError)
  expect(() => reply(given as never)).toThrow(text)
})

test('where the service acts on the response, a store is a TypeError that says why', () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
  const options = { scheme: discordInteractions, store: memoryStore() }
  expect(() => webhookHandler(key, () => {}, options)).toThrow(
    /`store` should be left out: Discord acts on the response/,
  )
})

test('a token for a service without such a check is a TypeError', () => {
  expect(() => webhookHandler(SECRET, () => {}, { verifyToken: 'a' })).toThrow(/should be left out/)
})

const GETS = Number(process.env.GETS ?? 200)
const NAMES = ['hub.mode', 'hub.challenge', 'hub.verify_token', 'hub%2Emode', 'x', '__proto__', '']
const VALUES = [
  ...['subscribe', 'T', 't', 'T%00', '+T', '1158201444', '%3Cscript%3E', '%', '%0d%0aX: y', '1 2'],
  ...['ä', '../x', 'a'.repeat(300), "'", '"><', 'T&hub.challenge=9', '1'],
]

/** The start of what a raw socket gets: fetch would change the target. */
async function firstLines(port: number, target: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET ${target.replaceAll(' ', '%20')} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  )
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
