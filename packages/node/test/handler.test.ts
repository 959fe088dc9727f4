import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { serving } from '@webhook-receiver/checks/serving.mjs'
import { listening } from '@webhook-receiver/conformance'
import { type NodeHandlerOptions, webhookHandler } from '@webhook-receiver/node'
import {
  describeHandler,
  describeRejections,
  expectBrokenOff,
  signedPost,
} from '@webhook-receiver/suites'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const secret = 'whsec_node_handler'

type Work = (
  delivery: { readonly event: string },
  context: { readonly request: IncomingMessage },
) => unknown

describeHandler('node:http', ({ secret, now, path, handlers, options }) => {
  const given = { path, now, onRejected: false, ...options } as const
  return listening(createServer(webhookHandler(secret, handlers, given)))
})

describeRejections(
  'node:http',
  ({ secret, path, headers, options }) => {
    const handler = webhookHandler(secret, () => {}, { path, ...options })
    const server = createServer((req, res) => {
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      return handler(req, res)
    })
    return listening(server)
  },
  { accepts: true },
)

/** Serves on a real socket; `before` is what stands in front of the handler. */
async function start(
  work: Work,
  options: NodeHandlerOptions = {},
  before: (req: IncomingMessage, res: ServerResponse) => void = () => {},
) {
  const handler = webhookHandler(secret, work, { onRejected: false, ...options })
  return serving((req, res) => {
    before(req, res)
    return handler(req, res)
  })
}

const signed = (event?: string) => signedPost(secret, event)

test('what Connect mounts at a path is signed and logged with this path', async () => {
  const onRejected = vi.fn()
  const before = (req: IncomingMessage) =>
    void Object.assign(req, { originalUrl: req.url, url: '/hook?a=1' })
  const url = await start(() => {}, { onRejected }, before)
  expect((await fetch(`${url}/mounted/hook?a=1`, { method: 'POST' })).status).toBe(401)
  expect(onRejected.mock.calls[0]?.[0]).toMatchObject({ remote: { url: '/mounted/hook?a=1' } })
})

describe('the path option', () => {
  test('is compared exactly: every other path is 404, without reading the request', async () => {
    const work = vi.fn()
    const url = await start(work, { path: '/webhooks' }, (_req, res) => {
      res.setHeader('X-Request-Id', 'req_1').setHeader('Content-Encoding', 'gzip')
    })
    const statusOf = async (target: string) => (await fetch(url + target, await signed())).status
    for (const target of ['/webhooks', '/webhooks?x=1']) expect(await statusOf(target)).toBe(204)
    for (const target of ['/webhooks/', '/Webhooks', '//webhooks', '/%77ebhooks']) {
      expect(await statusOf(target), target).toBe(404)
    }
    expect(work).toHaveBeenCalledTimes(2)
    const response = await fetch(`${url}/other`)
    expect([response.status, await response.text()]).toEqual([404, ''])
    const names = ['x-request-id', 'content-encoding']
    expect(names.map((name) => response.headers.get(name))).toEqual(['req_1', null])
  })

  test('is found in a whole URL too, as some proxies send it (RFC 9112, section 3.2.2)', async () => {
    const whole = (req: IncomingMessage) =>
      void Object.assign(req, { url: `http://example.com${req.url}` })
    const url = await start(() => {}, { path: '/webhooks' }, whole)
    const statusOf = async (target: string) => (await fetch(url + target, await signed())).status
    expect([await statusOf('/webhooks?x=1'), await statusOf('/other')]).toEqual([204, 404])
  })

  test.each(['webhooks', '/webhooks?x', '/a#b'])('is a TypeError for %j', (path) => {
    const create = () => Reflect.apply(webhookHandler, undefined, [secret, () => {}, { path }])
    expect(create).toThrow("`path` should be a path without a query, such as '/webhooks'; got ")
  })
})

test('its promise resolves when the response was sent, and never rejects', async () => {
  const handler = webhookHandler(
    secret,
    async ({ event }) => {
      await setImmediate()
      if (event === 'message.failed') throw new Error('no')
    },
    { onError: () => {}, onRejected: false },
  )
  // As h3 does, whatever the handler has written by then.
  const url = await serving((req, res) => {
    handler(req, res).then(() => {
      if (!res.headersSent) res.writeHead(299).end()
    })
  })
  const statusOf = async (init: RequestInit) => (await fetch(url, init)).status
  expect(await statusOf(await signed())).toBe(204)
  expect(await statusOf(await signed('message.failed'))).toBe(500)
  expect(await statusOf({ method: 'POST', body: '{}' })).toBe(401)
  expect(await statusOf({ method: 'POST', body: 'x'.repeat(2 ** 21) })).toBe(401)
})

test('a web-standard Request is a TypeError, and no missing signature', async () => {
  const request = new Request('http://localhost/', { method: 'POST', body: '{}' })
  await expect(
    Reflect.apply(
      webhookHandler(secret, () => {}),
      undefined,
      [request],
    ),
  ).rejects.toThrow('for a Request, import it from @webhook-receiver/core')
})

test('a response that something else has begun stays with what began it', async () => {
  const handler = webhookHandler(secret, () => {}, { onRejected: false })
  const url = await serving(async (req, res) => {
    res.writeHead(202).write('begun')
    await handler(req, res)
    res.end(', ended')
  })
  for (const init of [await signed(), { method: 'POST', body: '{}' }]) {
    const response = await fetch(url, init)
    expect([response.status, await response.text()]).toEqual([202, 'begun, ended'])
  }
})

test.each([
  ['a delivery', () => signed()],
  ['a body over the limit', async () => ({ method: 'POST', body: 'x'.repeat(2 ** 21) })],
])('a response to %s that cannot be written is broken off', async (_, init) => {
  const url = await start(() => {})
  await expectBrokenOff('writeHead', async () => fetch(url, await init()))
  expect((await fetch(url, await signed())).status).toBe(204)
})

test('a failure of the receiver itself is 500, and printed', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const now = () => {
    throw Object.assign(new Error('no clock'), { detail: 'MARK' })
  }
  const url = await start(() => {}, { now })
  const response = await fetch(url, await signed())
  expect([response.status, await response.text()]).toEqual([500, ''])
  expect(print.mock.calls).toEqual([
    [expect.stringMatching(/The receiver failed.* Error: no clock\n +at /)],
  ])
  expect(String(print.mock.calls)).not.toContain('MARK')
})

test.each([
  ['with its length', {}],
  ['in chunks', { duplex: 'half' }],
])('a body that came %s leaves no listener behind, which would keep it', async (_name, chunked) => {
  const events = ['data', 'end', 'error', 'close', 'aborted'] as const
  const listeners: unknown[] = []
  const url = await start((_delivery, { request }) => {
    listeners.push(...events.map((event) => request.listenerCount(event)))
  })
  const init = await signed()
  const body = 'duplex' in chunked ? new Blob([init.body]).stream() : init.body
  expect((await fetch(url, { ...init, ...chunked, body })).status).toBe(204)
  expect(listeners).toEqual(events.map(() => 0))
})

test('a body in chunks is counted if a length is declared too, which only a lenient parser lets through', async () => {
  const handler = webhookHandler(secret, () => {}, { limit: 1000, onRejected: false })
  const url = await serving(createServer({ insecureHTTPParser: true }, handler))
  const { headers } = await signed()
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const lengths = 'Content-Length: 10\r\nTransfer-Encoding: chunked\r\n'
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${lines.join('')}${lengths}\r\n`)
  socket.write(`7d0\r\n${'x'.repeat(2000)}\r\n`)
  const [response] = await once(socket, 'data')
  expect(String(response)).toMatch(/^HTTP\/1\.1 413 /)
})
