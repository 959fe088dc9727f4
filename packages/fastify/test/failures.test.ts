import { createServer } from 'node:http'
import { describeFailures, type FailingSetup, listening } from '@webhook-receiver/conformance'
import { signDelivery } from '@webhook-receiver/core/testing'
import { deliveryHandler, memoryStore, webhookPlugin } from '@webhook-receiver/fastify'
import Fastify, { type FastifyInstance, type RouteHandlerMethod } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'

describeFailures('fastify', (setup) =>
  serve(setup, async (scope) => {
    await scope.register(webhookPlugin, { secret: setup.secret })
    scope.post(setup.path, (request) => setup.handler(request.delivery))
  }),
)

describeFailures('fastify, on a route that is declared before the plugin has loaded', (setup) =>
  serve(setup, async (scope) => {
    scope.post(setup.path, (request) => setup.handler(request.delivery))
    scope.register(webhookPlugin, { secret: setup.secret })
  }),
)

const stores = { 'without a store': {}, 'with a store': { store: memoryStore() } }
for (const [name, options] of Object.entries(stores)) {
  describeFailures(`fastify, deliveryHandler ${name}`, (setup) =>
    serve(setup, async (scope) => {
      await scope.register(webhookPlugin, { secret: setup.secret })
      scope.post(setup.path, deliveryHandler({ any: setup.handler }, options))
    }),
  )
}

async function serve({ onError }: FailingSetup, mount: (scope: FastifyInstance) => Promise<void>) {
  const app = Fastify()
  if (onError) {
    app.setErrorHandler((error, _request, reply) => reply.code(onError(error)).send())
  }
  app.register(mount)
  await app.ready()
  return listening(createServer(app.routing))
}

/** Sends a delivery to a handler; returns what is printed and logged. */
async function deliverTo(handler: RouteHandlerMethod, logs: boolean) {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const logged: string[] = []
  const stream = { write: (line: string) => void logged.push(line) }
  const app = Fastify(logs ? { logger: { level: 'warn', stream } } : {})
  app.register(async (scope) => {
    await scope.register(webhookPlugin, { secret: 'whsec_failing' })
    scope.post('/webhooks', handler)
  })
  const url = await app.listen({ port: 0 })
  onTestFinished(async () => {
    print.mockRestore()
    await app.close()
  })
  const { headers, body } = await signDelivery('whsec_failing', 'message.received')
  const answer = fetch(`${url}/webhooks`, { method: 'POST', headers, body })
  return { answer, logged, printed: print.mock.calls }
}

test.each([
  [new Error('broken off'), 'caused by: Error: broken off'],
  ['broken off', "[cause]: 'broken off'"],
])('with a logger, what is thrown is in its log, and not printed: %s', async (thrown, text) => {
  const { answer, logged, printed } = await deliverTo(() => {
    throw thrown
  }, true)
  expect((await answer).status).toBe(500)
  expect(logged).toHaveLength(1)
  expect(JSON.parse(logged[0] ?? '').err.stack).toContain(text)
  expect(printed).toEqual([])
})

test.each([true, false])(
  'ends the connection of an answer that the handler had begun, and tells the operator (logger: %s)',
  async (logs) => {
    const { answer, logged, printed } = await deliverTo(async (_request, { raw }) => {
      raw.writeHead(200, { 'Content-Length': '10' }).write('half')
      throw new Error('broken off')
    }, logs)
    await expect(answer.then((begun) => begun.text())).rejects.toThrow()
    const texts = logs ? logged : printed.map((args) => args.join(' '))
    expect(texts).toEqual([expect.stringMatching(/cut off.*broken off|broken off.*cut off/s)])
  },
)

test('answers 500 where the handler has set another status before it throws', async () => {
  const { answer } = await deliverTo((_request, reply) => {
    reply.code(201)
    throw new Error('broken off')
  }, false)
  expect((await answer).status).toBe(500)
})

test.each<[string, RouteHandlerMethod]>([
  ['return reply', async (_request, reply) => reply.code(202).send('later')],
  ['reply.send', (_request, reply) => void reply.code(202).send('later')],
  [
    'reply.send a moment later',
    async (_request, reply) => {
      setTimeout(() => reply.code(202).send('later'), 10)
      return reply
    },
  ],
  ['a reply that is not a promise', (_request, reply) => reply.code(202).send('later')],
  [
    'this',
    function (_request, reply) {
      return reply.code(this.hasPlugin('@webhook-receiver/fastify') ? 202 : 500).send('later')
    },
  ],
])('leaves a handler that answers alone: %s', async (_name, handler) => {
  const { answer } = await deliverTo(handler, false)
  const { status } = await answer
  expect([status, await (await answer).text()]).toEqual([202, 'later'])
})
