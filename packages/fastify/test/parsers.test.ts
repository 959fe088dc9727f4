import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer, json } from 'node:stream/consumers'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { webhookMiddleware } from '@webhook-receiver/fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'

const secret = 'whsec_fastify'

/** What an application may do to the parsers of the scope that holds its webhook routes. */
const PARSERS: Readonly<Record<string, (scope: FastifyInstance) => unknown>> = {
  'one of strings': (scope) =>
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, JSON.parse(String(body))),
    ),
  'one of streams': (scope) =>
    scope.addContentTypeParser('application/json', (_request: unknown, stream: IncomingMessage) =>
      json(stream),
    ),
  'one that fails': (scope) =>
    scope.addContentTypeParser('application/json', async () => {
      throw new Error('the parser of the application')
    }),
  'one by regular expression': (scope) =>
    scope.addContentTypeParser(/^application\/.*json$/, { parseAs: 'buffer' }, async () => ({})),
  'one for everything': (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => ({}))
  },
  none: (scope) => scope.removeAllContentTypeParsers(),
}

const AROUND: Readonly<Record<string, Around>> = {
  'before the plugin': async (scope, parser, plugin, route) => {
    parser(scope)
    await plugin(scope)
    route(scope)
  },
  'behind the plugin': async (scope, parser, plugin, route) => {
    await plugin(scope)
    parser(scope)
    route(scope)
  },
  'behind the route': async (scope, parser, plugin, route) => {
    await plugin(scope)
    route(scope)
    parser(scope)
  },
  'in a scope within': async (scope, parser, plugin, route) => {
    await plugin(scope)
    scope.register(async (inner) => {
      inner.register(async (innermost) => {
        parser(innermost)
        route(innermost)
      })
    })
  },
}

type Around = (
  scope: FastifyInstance,
  parser: (scope: FastifyInstance) => unknown,
  plugin: (scope: FastifyInstance) => Promise<void>,
  route: (scope: FastifyInstance) => unknown,
) => Promise<void>

async function plugin(scope: FastifyInstance): Promise<void> {
  await scope.register(webhookMiddleware(secret, { onRejected: false }))
}

function route(scope: FastifyInstance): void {
  scope.post('/webhooks', async ({ body, delivery }) => ({ body, same: body === delivery }))
}

async function responseOf(app: FastifyInstance) {
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const delivery = sampleDelivery('message.received')
  const { headers, body } = await signDelivery(secret, delivery)
  const response = await fetch(`${app.listeningOrigin}/webhooks`, { method: 'POST', headers, body })
  return { delivery, status: response.status, received: await response.json() }
}

for (const [order, around] of Object.entries(AROUND)) {
  test.each(Object.keys(PARSERS))(`takes a delivery with a parser ${order}: %s`, async (name) => {
    const app = Fastify({ forceCloseConnections: true })
    app.register((scope) => around(scope, PARSERS[name] ?? expect.fail(), plugin, route))
    const { delivery, status, received } = await responseOf(app)
    expect(status).toBe(200)
    expect(received).toEqual({ body: { ...delivery, known: true }, same: true })
  })
}

test('takes a delivery where a hook behind the plugin reads the stream again', async () => {
  const app = Fastify({ forceCloseConnections: true })
  app.register(async (scope) => {
    await plugin(scope)
    scope.addHook('preParsing', async (_request, _reply, stream) =>
      Readable.from([await buffer(stream)]),
    )
    route(scope)
  })
  expect(await responseOf(app)).toMatchObject({ status: 200, received: { same: true } })
})
