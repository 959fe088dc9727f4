import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type Rejection, webhookMiddleware } from '@webhook-receiver/hono'
import { serving, signedPost } from '@webhook-receiver/suites'
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { timeout } from 'hono/timeout'
import { expect, onTestFinished, test, vi } from 'vitest'

const secret = 'whsec_hono'
/** That of Node: the server puts its own in its place. */
const OwnRequest = Request
const EVENTS = ['data', 'end', 'error', 'close'] as const

/** A receiver on Node's own server, with what may stand in front of it. */
async function start(front: MiddlewareHandler = (_c, next) => next()) {
  const rejections: Rejection[] = []
  const listeners: number[] = []
  const app = new Hono<{ Bindings: { incoming: IncomingMessage } }>()
  const options = {
    limit: 100_000,
    onRejected: (rejection: Rejection) => void rejections.push(rejection),
  }
  app.post('/webhooks', front, webhookMiddleware(secret, options), (c) => {
    listeners.push(...EVENTS.map((event) => c.env.incoming.listenerCount(event)))
    return c.body(null, 204)
  })
  const origin = await serving(getRequestListener(app.fetch))
  return { port: Number(new URL(origin).port), url: `${origin}/webhooks`, rejections, listeners }
}

const delivery = () => signedPost(secret)

/** Sends the headers of a delivery, `more` of them, and then `text`. */
async function send(port: number, more: string, text: string) {
  const { headers } = await delivery()
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(`POST /webhooks HTTP/1.1\r\nHost: x\r\n${lines.join('')}${more}\r\n\r\n${text}`)
  return socket
}

test('what was read leaves no listener behind, which would keep it', async () => {
  const untouched: number[] = []
  const { url, listeners } = await start((c, next) => {
    untouched.push(...EVENTS.map((event) => c.env.incoming.listenerCount(event)))
    return next()
  })
  expect((await fetch(url, await delivery())).status).toBe(204)
  expect(listeners).toEqual(untouched)
})

test.each([
  ['with a length', 'Content-Length: 100', 'abc'],
  ['in chunks', 'Transfer-Encoding: chunked', '5\r\nabc'],
])(
  'a body %s that breaks off is incomplete, and what came is counted',
  async (_name, more, text) => {
    let incoming: IncomingMessage | undefined
    const { port, rejections } = await start((c, next) => {
      incoming = c.env.incoming
      return next()
    })
    const socket = await send(port, more, text)
    // A reset discards what has not been read.
    await expect.poll(() => incoming?.socket.bytesRead).toBe(socket.bytesWritten)
    socket.resetAndDestroy()
    await expect.poll(() => rejections[0]?.reason).toBe('body_incomplete')
    expect(rejections[0]?.detail).toContain('3 bytes')
  },
)

test('a request that is gone before its body is read is incomplete', async () => {
  const { port, rejections } = await start(async (c, next) => {
    c.env.incoming.destroy()
    await once(c.env.incoming, 'close')
    await next()
  })
  await send(port, 'Content-Length: 100', 'abc')
  await expect.poll(() => rejections[0]?.reason).toBe('body_incomplete')
})

test('a stream that something in front has read is the receiver’s fault', async () => {
  const { url, rejections } = await start(async (c, next) => {
    c.env.incoming.resume()
    await once(c.env.incoming, 'end')
    await next()
  })
  expect((await fetch(url, await delivery())).status).toBe(500)
  expect(rejections[0]?.reason).toBe('body_already_read')
  expect(rejections[0]?.detail).toMatch(/Mount the receiver before it\.$/)
})

test('the stream is taken at once where nobody has begun to read it', async () => {
  const taken: boolean[] = []
  const { url } = await start((c, next) => {
    const { incoming } = c.env
    const before = incoming.listenerCount('data')
    Object.defineProperty(incoming, 'readableFlowing', {
      get() {
        queueMicrotask(() => taken.push(incoming.listenerCount('data') > before))
        return Reflect.get(Object.getPrototypeOf(incoming), 'readableFlowing', incoming)
      },
    })
    return next()
  })
  expect((await fetch(url, await delivery())).status).toBe(204)
  expect(taken).toContain(true)
})

test('a stream that something in front has paused is left to Hono, which reads it', async () => {
  const { url } = await start((c, next) => {
    c.env.incoming.pause()
    return next()
  })
  expect((await fetch(url, await delivery())).status).toBe(204)
})

test('a copy of the Request that something in front has read does no harm', async () => {
  const { url } = await start(async (c, next) => {
    await c.req.raw.clone().text()
    await next()
  })
  expect((await fetch(url, await delivery())).status).toBe(204)
})

test('what has asked for the Request in front does no harm where the server leaves the global classes alone', async () => {
  vi.stubGlobal('Request', OwnRequest)
  onTestFinished(() => void vi.unstubAllGlobals())
  const app = new Hono().post(
    '*',
    bodyLimit({ maxSize: 100_000 }),
    webhookMiddleware(secret),
    async ({ req }) => Response.json([(await req.json()).event, req.header('x-more'), req.url]),
  )
  const url = `${await serving(getRequestListener(app.fetch, { overrideGlobalObjects: false }))}/?a=b`
  const { headers, ...post } = await delivery()
  const response = await fetch(url, { ...post, headers: { ...headers, 'x-more': '1' } })
  expect(await response.json()).toEqual(['message.received', '1', url])
})

test.each([
  ['', (_c, next) => next()],
  [' and the Request was asked for', ({ req }, next) => (req.raw.body ? next() : next())],
] satisfies [string, MiddlewareHandler][])(
  'no second error is said where a timeout in front has responded%s',
  async (_name, front) => {
    const print = vi.spyOn(console, 'error').mockReturnValue()
    let isOver = false
    const app = new Hono()
      .use(timeout(10), front, (_c, next) =>
        next().finally(() => {
          isOver = true
        }),
      )
      .post('*', webhookMiddleware(secret, { onRejected: false }))
    const origin = await serving(getRequestListener(app.fetch))
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{')
    await expect.poll(() => isOver, { timeout: 10_000 }).toBe(true)
    expect(print.mock.calls).toEqual([])
  },
)

test('what reads the body behind `next()` gets nothing of a rejected one, and does not change the response', async () => {
  const texts: string[] = []
  const app = new Hono().all(
    '*',
    async ({ req }, next) => {
      await next()
      texts.push(await req.text())
    },
    webhookMiddleware('whsec_another', { onRejected: false }),
  )
  const url = `${await serving(getRequestListener(app.fetch))}/`
  const unsigned = { method: 'POST', body: '{}' }
  const statuses: number[] = []
  for (const init of [await delivery(), unsigned, { method: 'GET' }, { method: 'HEAD' }])
    for (const ask of [fetch, app.request]) statuses.push((await ask(url, init)).status)
  expect(statuses).toEqual([401, 401, 401, 401, 405, 405, 405, 405])
  expect(texts).toEqual(statuses.map(() => ''))
})

test('a declared length above the limit gets its whole response before the body, and the connection stays open for that', async () => {
  // The time for which a rejected request is read on does not pass.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { port } = await start()
  const socket = await send(port, 'Content-Length: 2097152', '')
  let seen = ''
  let ended = false
  socket.on('data', (data) => {
    seen += data
  })
  socket.on('end', () => {
    ended = true
  })
  const response =
    /^HTTP\/1\.1 413 .*\r\nConnection: close\r\n.*\r\n\r\n\{"code":"body_too_large","message":"[^"]+"\}$/is
  while (!response.test(seen)) await once(socket, 'data')
  expect(ended).toBe(false)
  socket.write(Buffer.alloc(2_097_152))
  await once(socket, 'end')
  expect(seen).toMatch(response)
})

test('a Request whose URL has no host, as on Bun with an empty Host, is known by its whole target', async () => {
  const onRejected = vi.fn()
  const app = new Hono().all('*', webhookMiddleware(secret, { onRejected }))
  const url = '/webhooks?shop=8&n=a://e?shop=7'
  const relative = new Proxy(new Request('http://localhost/', { method: 'POST', body: '{}' }), {
    get: (target, name) => (name === 'url' ? url : Reflect.get(target, name, target)),
  })
  const raw = '/a/../webhooks'
  for (const env of [undefined, { incoming: { url: raw } }])
    expect((await app.fetch(relative, env)).status).toBe(401)
  expect(onRejected.mock.calls).toMatchObject([[{ remote: { url } }], [{ remote: { url: raw } }]])
})
