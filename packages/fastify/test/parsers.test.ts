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

type Step = 'parser' | 'plugin' | 'route' | 'scope'

/** What happens in a scope, one after the other; what is behind `scope`, in one within. */
const ORDERS: Readonly<Record<string, readonly Step[]>> = {
  'before the plugin': ['parser', 'plugin', 'route'],
  'behind the plugin': ['plugin', 'parser', 'route'],
  'behind the route': ['plugin', 'route', 'parser'],
  'in a scope within': ['plugin', 'scope', 'scope', 'parser', 'route'],
}

async function plugin(scope: FastifyInstance): Promise<void> {
  await scope.register(webhookMiddleware(secret, { onRejected: false }))
}

function route(scope: FastifyInstance): void {
  scope.post('/webhooks', async ({ body, delivery }) => ({ body, same: body === delivery }))
}

async function take(
  [step, ...rest]: readonly Step[],
  scope: FastifyInstance,
  parser: (scope: FastifyInstance) => unknown,
): Promise<void> {
  if (step === undefined) return
  if (step === 'scope') return void scope.register((inner) => take(rest, inner, parser))
  // Not awaited: it may return the scope, which waits for itself.
  const run = { plugin, route, parser: (on: FastifyInstance) => void parser(on) }
  await run[step](scope)
  await take(rest, scope, parser)
}

async function responseOf(app: FastifyInstance) {
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const delivery = sampleDelivery('message.received')
  const { headers, body } = await signDelivery(secret, delivery)
  const response = await fetch(`${app.listeningOrigin}/webhooks`, { method: 'POST', headers, body })
  return { delivery, status: response.status, received: await response.json() }
}

for (const [order, steps] of Object.entries(ORDERS)) {
  test.each(Object.entries(PARSERS))(
    `takes a delivery with a parser ${order}: %s`,
    async (_, parser) => {
      const app = Fastify({ forceCloseConnections: true })
      app.register((scope) => take(steps, scope, parser))
      const { delivery, status, received } = await responseOf(app)
      expect(status).toBe(200)
      expect(received).toEqual({ body: { ...delivery, known: true }, same: true })
    },
  )
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
