import { createServer } from 'node:http'
import Router from '@koa/router'
import { describeFailures, type FailingSetup, listening } from '@webhook-receiver/conformance'
import { signDelivery } from '@webhook-receiver/core/testing'
import { deliveryHandler, memoryStore, webhookMiddleware } from '@webhook-receiver/koa'
import Koa, { type Middleware } from 'koa'
import { expect, onTestFinished, test, vi } from 'vitest'

const plain =
  ({ handler }: FailingSetup): Middleware =>
  (ctx) =>
    handler(ctx.state.delivery)

describeFailures('koa, at the root', (setup) =>
  serve(setup, (app) => {
    app.use(webhookMiddleware(setup.secret, { path: setup.path }))
    app.use(plain(setup))
  }),
)

describeFailures('koa, on a route', (setup) =>
  serve(setup, (app) => {
    const router = new Router()
    router.post(setup.path, webhookMiddleware(setup.secret), plain(setup) as () => unknown)
    app.use(router.routes())
  }),
)

const stores = { 'without a store': {}, 'with a store': { store: memoryStore() } }
for (const [name, options] of Object.entries(stores)) {
  describeFailures(`koa, deliveryHandler ${name}`, (setup) =>
    serve(setup, (app) => {
      app.use(webhookMiddleware(setup.secret)).use(deliveryHandler({ any: setup.handler }, options))
    }),
  )
}

function serve({ onError }: FailingSetup, mount: (app: Koa) => void) {
  const app = new Koa()
  if (onError) app.on('error', onError)
  mount(app)
  return listening(createServer(app.callback()))
}

test('ends the connection of an answer that the handler had begun, and tells the operator', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const app = new Koa().use(webhookMiddleware('whsec_failing'))
  app.use(({ res }) => {
    res.writeHead(200, { 'Content-Length': '10' }).write('half')
    throw new Error('broken off')
  })
  const { port, close } = await listening(createServer(app.callback()))
  onTestFinished(async () => {
    print.mockRestore()
    await close()
  })
  const { headers, body } = await signDelivery('whsec_failing', 'message.received')
  const answer = fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })
  await expect(answer.then((begun) => begun.text())).rejects.toThrow()
  expect(print).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Error: broken off'))
})

test('a secret function that fails for anybody does not let Koa print each request', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const reasons: string[] = []
  const app = new Koa().use(
    webhookMiddleware(() => Promise.reject(new Error('no such tenant')), {
      onRejected: ({ reason }) => void reasons.push(reason),
    }),
  )
  const { port, close } = await listening(createServer(app.callback()))
  onTestFinished(close)
  const { headers, body } = await signDelivery('whsec_failing', 'message.received')
  for (let request = 0; request < 5; request++) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers,
      body: Buffer.from(body),
    })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('10')
    expect(await answer.text()).toBe('receiver unavailable')
  }
  expect(print).not.toHaveBeenCalled()
  expect(reasons).toEqual(Array(5).fill('secret_unavailable'))
})
