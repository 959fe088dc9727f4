import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { format } from 'node:util'
import { listening } from '@webhook-receiver/conformance'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import {
  deliveryHandler,
  type ListenerOptions,
  type WebhookEvent,
  webhookListener,
} from '@webhook-receiver/node'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const secret = 'whsec_listener'

type Handler = Parameters<typeof webhookListener>[1]

async function start(handler: Handler, options: ListenerOptions = {}): Promise<string> {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const { port, close } = await listening(createServer(webhookListener(secret, handler, options)))
  onTestFinished(async () => {
    errors.mockRestore()
    await close()
  })
  return `http://127.0.0.1:${port}`
}

async function genuine() {
  const delivery = sampleDelivery('message.received', { data: { text: 'hello' } })
  const { headers, body } = await signDelivery(secret, delivery)
  return { delivery, init: { method: 'POST', headers, body } }
}

test('gives the handler the delivery and how it was verified, and answers 204', async () => {
  const { delivery, init } = await genuine()
  const seen: unknown[] = []
  const url = await start((received, { verification, req }) => {
    seen.push(received, Buffer.from(verification.rawBody), verification.webhookId, req.url)
  })
  expect((await fetch(`${url}/any`, init)).status).toBe(204)
  expect(seen).toEqual([{ ...delivery, known: true }, Buffer.from(init.body), delivery.id, '/any'])
})

test('a framework that waits for the listener does not answer before it', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const fails: Handler = async ({ event }) => {
    await setImmediate()
    if (event === 'message.failed') throw new Error('no')
  }
  const listener = webhookListener(secret, fails)
  // As h3 does, whatever the listener has written by then.
  const server = createServer((req, res) => {
    listener(req, res).then(() => {
      if (!res.headersSent) res.writeHead(299).end()
    })
  })
  const { port, close } = await listening(server)
  onTestFinished(async () => {
    errors.mockRestore()
    await close()
  })
  const statusOf = async (event: WebhookEvent, text: string, changed = {}) => {
    const { headers, body } = await signDelivery(secret, sampleDelivery(event, { data: { text } }))
    const init = { method: 'POST', headers: { ...headers, ...changed }, body }
    return (await fetch(`http://127.0.0.1:${port}/`, init)).status
  }
  expect(await statusOf('message.read', 'x')).toBe(204)
  expect(await statusOf('message.failed', 'x')).toBe(500)
  const forged = { 'X-Webhook-Signature': `sha256=${'0'.repeat(64)}` }
  expect(await statusOf('message.read', 'x', forged)).toBe(401)
  expect(await statusOf('message.read', 'x'.repeat(2 ** 21))).toBe(413)
})

test.each([
  ['with its length', {}],
  ['in chunks', { duplex: 'half' }],
])('a body that came %s leaves no listener behind, which would keep it', async (_name, chunked) => {
  const events = ['data', 'end', 'error', 'close', 'aborted'] as const
  const listeners: unknown[] = []
  const url = await start((_delivery, { req }) => {
    listeners.push(...events.map((event) => req.listenerCount(event)))
  })
  const { init } = await genuine()
  const body = 'duplex' in chunked ? new Blob([Buffer.from(init.body)]).stream() : init.body
  expect((await fetch(url, { ...init, ...chunked, body })).status).toBe(204)
  expect(listeners).toEqual(events.map(() => 0))
})

test('counts a body in chunks whose length is declared as well, which only a lenient parser lets through', async () => {
  const listener = webhookListener(secret, () => {}, { limit: 1000, onRejected: false })
  const server = createServer({ insecureHTTPParser: true }, listener)
  const { port, close } = await listening(server)
  onTestFinished(close)
  const { headers } = await signDelivery(secret, 'message.read')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const lengths = 'Content-Length: 10\r\nTransfer-Encoding: chunked\r\n'
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${lines.join('')}${lengths}\r\n`)
  socket.write(`7d0\r\n${'x'.repeat(2000)}\r\n`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /)
})

test.each([
  ['stack', new Error('x')],
  ['message', new Error()],
])(
  'answers 500 where a handler throws an error whose %s throws, and lives on',
  async (name, error) => {
    const shown = Object.defineProperty(error, name, {
      get() {
        throw new Error('looked at')
      },
    })
    const url = await start(() => {
      throw shown
    })
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    onTestFinished(() => void process.off('unhandledRejection', unhandled))
    // As the console does it.
    vi.mocked(console.error).mockImplementation((...args) => void format(...args))
    for (let times = 0; times < 2; times++) {
      expect((await fetch(url, (await genuine()).init)).status).toBe(500)
    }
    expect(unhandled).not.toHaveBeenCalled()
  },
)

describe('a refused request', () => {
  const limit = 1000
  const send = async (length: number, sent: number) => {
    const url = await start(() => {}, { limit, onRejected: false })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const seen = { text: '', ended: false }
    socket.on('data', (data) => {
      seen.text += data
    })
    socket.on('end', () => {
      seen.ended = true
    })
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(sent)}`,
    )
    await expect.poll(() => seen.text).toMatch(/}$/)
    return { socket, seen }
  }

  test('whose body comes a moment later leaves the connection open', async () => {
    const url = await start(() => {}, { limit, onRejected: false })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n')
    setTimeout(() => socket.write('hello'), 50)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 .*\r\nConnection: keep-alive\r\n/s)
  })

  test('of just the limit leaves the connection open', async () => {
    const { seen } = await send(limit, limit)
    expect(seen.text).toMatch(/^HTTP\/1\.1 401 .*\r\nContent-Type: application\/json\r\n/s)
    expect(seen.text).toMatch(/\r\nConnection: keep-alive\r\n/)
  })

  test('of more is answered before it has come, and the connection closed when it has', async () => {
    const { socket, seen } = await send(limit + 1, 10)
    expect(seen.text).toMatch(/^HTTP\/1\.1 401 .*\r\nContent-Type: application\/json\r\n/s)
    expect(seen.text).toMatch(/\r\nConnection: close\r\n/)
    expect(seen.ended).toBe(false)
    socket.write('x'.repeat(limit - 9))
    await expect.poll(() => seen.ended).toBe(true)
  })
})

test('leaves the answer to a handler that gives one, and its status to an access log', async () => {
  const logged: number[] = []
  const url = await start((_delivery, { res }) => {
    res.on('finish', () => logged.push(res.statusCode))
    res.writeHead(202).end('later')
  })
  const answer = await fetch(url, (await genuine()).init)
  expect([answer.status, await answer.text()]).toEqual([202, 'later'])
  await expect.poll(() => logged).toEqual([202])
})

test('answers 500 where the handler fails, and says so on standard error', async () => {
  const url = await start(async () => {
    throw new Error('no database')
  })
  const answer = await fetch(url, (await genuine()).init)
  expect([answer.status, await answer.text()]).toEqual([500, ''])
  expect(console.error).toHaveBeenCalledWith(
    expect.stringContaining('answered 500'),
    expect.objectContaining({ message: 'no database' }),
  )
})

test('answers 500 where it fails itself, and says why on standard error', async () => {
  const failure = new Error('no clock')
  const now = () => {
    throw failure
  }
  const url = await start(() => {}, { now, onRejected: false })
  const answer = await fetch(url, (await genuine()).init)
  expect([answer.status, await answer.text()]).toEqual([500, ''])
  expect(console.error).toHaveBeenCalledExactlyOnceWith(expect.any(String), failure)
})

test('cuts the answer short where the handler fails behind its own beginning of one', async () => {
  const url = await start((_delivery, { res }) => {
    res.writeHead(200, { 'Content-Length': '10' }).write('half')
    throw new Error('late')
  })
  const { init } = await genuine()
  await expect(fetch(url, init).then((answer) => answer.text())).rejects.toThrow()
})

test('answers a refusal in JSON, with the headers that belong to it', async () => {
  const url = await start(() => {})
  const answer = await fetch(url)
  expect([answer.status, answer.headers.get('allow'), answer.headers.get('content-type')]).toEqual([
    405,
    'POST',
    'application/json',
  ])
  expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' })
})

test('answers 404 outside its path', async () => {
  const url = await start(() => {}, { path: '/webhooks' })
  const { init } = await genuine()
  const answers = await Promise.all(
    ['/', '/other', '/webhooks', '/WEBHOOKS/x'].map((path) => fetch(url + path, init)),
  )
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 204, 204])
})

test('refuses a handler that is not a function, at start', () => {
  expect(() => Reflect.apply(webhookListener, undefined, [secret])).toThrow(
    /The handler should be a function/,
  )
})

test('is a TypeError that says what to write where it was given to the server without being called', () => {
  const req = new IncomingMessage(new Socket())
  Object.assign(req, { method: 'POST', url: '/webhooks' })
  const serve = () => Reflect.apply(webhookListener, undefined, [req, new ServerResponse(req)])
  expect(serve).toThrow(TypeError)
  expect(serve).toThrow('without being called: write webhookListener(secret, handler), not')
})

test('answers 500 and says what to write where deliveryHandler is mounted alone', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const work = vi.fn()
  const handler = deliveryHandler({ any: work, unknown: work })
  const server = createServer((...given) => void Reflect.apply(handler, undefined, given))
  const { port, close } = await listening(server)
  onTestFinished(close)
  for (const init of [(await genuine()).init, { method: 'GET' }]) {
    const answer = await fetch(`http://127.0.0.1:${port}`, init)
    expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'receiver_error' }])
  }
  const lines = print.mock.calls.map(([line]) => line)
  print.mockRestore()
  expect(lines).toEqual([expect.stringContaining('Write webhookListener(secret, deliveryHandler(')])
  expect(work).not.toHaveBeenCalled()
})

test('answers 500 and says what to write where deliveryHandler was not called', async () => {
  const { init } = await genuine()
  const url = await start((...given) => Reflect.apply(deliveryHandler, undefined, given))
  const answer = await fetch(url, init)
  expect(answer.status).toBe(500)
  expect(vi.mocked(console.error).mock.calls).toEqual([[expect.any(String), expect.any(TypeError)]])
  expect(String(vi.mocked(console.error).mock.calls[0]?.[1])).toContain(
    'without being called: write deliveryHandler({ … }), not',
  )
})
