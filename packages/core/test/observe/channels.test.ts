import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createReceiver, WebhookError } from '@webhook-receiver/core'
import {
  CHANNELS,
  handlerDiagnostics,
  receiverDiagnostics,
} from '@webhook-receiver/core/diagnostics'
import { createDeliveryHandler, memoryStore } from '@webhook-receiver/core/handling'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { afterEach, expect, test, vi } from 'vitest'

const SECRET = 'whsec_canary_secret'
const FINGERPRINT = '53e98564'
const BODY = 'canary-in-the-body'

type Message = Readonly<Record<string, unknown>>
const reported: [what: string, message: Message][] = []
const listeners = Object.entries(CHANNELS).map(([what, name]) => {
  const listener = (message: unknown) => void reported.push([what, message as Message])
  return { name, listener }
})

const listen = () =>
  listeners.forEach(({ name, listener }) => {
    subscribe(name, listener)
  })

afterEach(() => {
  for (const { name, listener } of listeners) unsubscribe(name, listener)
  reported.length = 0
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Serves deliveries on a real socket, and gives a function that sends to it. */
async function serving() {
  const receiver = createReceiver(
    { current: SECRET },
    receiverDiagnostics({ endpoint: 'orders', onRejected: false }),
  )
  const handle = createDeliveryHandler(
    {
      'message.received': async ({ data }) => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        if (data.data.fail) throw new RangeError(JSON.stringify(data))
      },
    },
    { store: memoryStore(), endpoint: 'orders', ...handlerDiagnostics() },
  )
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const request = new Request(`http://localhost${req.url}`, {
      method: req.method ?? '',
      headers: req.headers as Record<string, string>,
      body: Buffer.concat(chunks),
    })
    try {
      const { delivery } = await receiver.receiveRequest(request)
      await handle(delivery)
      res.writeHead(204).end()
    } catch (error) {
      res.writeHead(error instanceof WebhookError ? error.status : 500).end()
    }
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    async send(event: string, data: object, { id = 'the-id', secret = SECRET, ago = 0 } = {}) {
      const delivery = sampleDelivery(event, { id, data: { ...data, note: BODY } })
      const { headers, body } = await signDelivery(secret, delivery, {
        now: () => Date.now() - ago * 1000,
      })
      const url = `http://127.0.0.1:${port}/webhooks?token=${BODY}`
      return (await fetch(url, { method: 'POST', headers, body })).status
    },
    close: () => server.close(),
  }
}

test('a delivery, its duplicates, a failure and a refusal over a real server', async () => {
  listen()
  const { send, close } = await serving()
  const copies = await Promise.all([send('message.received', {}), send('message.received', {})])
  expect(copies.sort()).toEqual([204, 503])
  expect(await send('message.received', {}, { ago: 100 })).toBe(204)
  expect(await send('message.received', { fail: true }, { id: 'failing' })).toBe(500)
  expect(await send('message.read', {}, { id: 'ignored' })).toBe(204)
  expect(await send('message.received', {}, { secret: 'whsec_of_another' })).toBe(401)
  expect(await send('message.received', {}, { ago: 400 })).toBe(401)
  close()

  const names = reported.map(([what, { id, reason, result }]) =>
    [what, id ?? reason ?? result].join(' '),
  )
  expect(names.sort()).toEqual(
    [
      ...Array(3).fill('received the-id'),
      'claimed the-id',
      'duplicate the-id',
      'completed the-id',
      'duplicate the-id',
      ...['received', 'claimed', 'failed'].map((what) => `${what} failing`),
      'received ignored',
      'ignored ignored',
      'rejected signature_mismatch',
      'rejected timestamp_too_old',
      ...['claimed', 'in_progress', 'ok', 'done', 'claimed', 'ok'].map(
        (result) => `store ${result}`,
      ),
    ].sort(),
  )
  const of = (what: string) =>
    reported.filter(([name]) => name === what).map(([, message]) => message)
  const secret = { name: 'current', fingerprint: FINGERPRINT }
  const times = { at: expect.any(Number), duration: expect.any(Number) }
  expect(of('received').find(({ age }) => Number(age) >= 99)).toEqual({
    ...times,
    age: expect.closeTo(100, -1),
    skew: 0,
    endpoint: 'orders',
    id: 'the-id',
    event: 'message.received',
    known: true,
    secret,
  })
  expect(of('rejected')[1]).toEqual({
    ...times,
    age: expect.closeTo(400, -1),
    skew: 0,
    endpoint: 'orders',
    reason: 'timestamp_too_old',
    status: 401,
    authentic: true,
    secrets: [secret],
  })
  expect(of('failed')).toEqual([
    {
      ...times,
      endpoint: 'orders',
      id: 'failing',
      event: 'message.received',
      known: true,
      reason: undefined,
      errorName: 'RangeError',
    },
  ])
  expect(of('store')[0]).toEqual({
    ...times,
    endpoint: 'orders',
    operation: 'claim',
    result: 'claimed',
    errorName: undefined,
  })
  expect(of('duplicate').map(({ reason }) => reason)).toEqual(['delivery_in_progress', undefined])
  expect(Number(of('completed')[0]?.duration)).toBeGreaterThanOrEqual(0.045)
  for (const [, { duration }] of reported)
    expect(duration).toSatisfy((s: number) => s >= 0 && s < 10)

  const everything = JSON.stringify(reported)
  for (const canary of [SECRET, BODY, 'sha256=', '127.0.0.1', 'whsec_']) {
    expect(everything).not.toContain(canary)
  }
})

test('a receiver without a name is called default', () => {
  listen()
  const { onAccepted, onRejected } = receiverDiagnostics({ onRejected: false })
  onAccepted({ id: '1' } as never)
  onRejected({ reason: 'signature_mismatch' } as never)
  expect(reported).toMatchObject([
    ['received', { endpoint: 'default' }],
    ['rejected', { endpoint: 'default' }],
  ])
})

test('nothing is made where nobody listens', async () => {
  const published = vi.spyOn(channel(CHANNELS.completed), 'publish')
  const { onHandling } = handlerDiagnostics()
  const step = {
    step: 'completed',
    get error() {
      return undefined
    },
  }
  Reflect.apply(onHandling, undefined, [step])
  expect(published).not.toHaveBeenCalled()
})

test('hooks of the application are called as well, and by default a refusal is told on standard error', () => {
  const hooks = { onAccepted: vi.fn(), onRejected: vi.fn() }
  const both = receiverDiagnostics(hooks)
  both.onAccepted({ id: '1' } as never)
  both.onRejected({ reason: 'signature_mismatch' } as never)
  expect(hooks.onAccepted).toHaveBeenCalledWith({ id: '1' })
  expect(hooks.onRejected).toHaveBeenCalledWith({ reason: 'signature_mismatch' })

  const onHandling = vi.fn()
  handlerDiagnostics({ onHandling }).onHandling({ step: 'claimed' } as never)
  expect(onHandling).toHaveBeenCalledWith({ step: 'claimed' })
  const onStoreCall = vi.fn()
  handlerDiagnostics({ onStoreCall }).onStoreCall({ operation: 'claim' } as never)
  expect(onStoreCall).toHaveBeenCalledWith({ operation: 'claim' })

  const error = vi.spyOn(console, 'error').mockReturnValue()
  const rejection = { status: 401, reason: 'signature_mismatch', detail: 'because', remote: {} }
  receiverDiagnostics().onRejected(rejection as never)
  receiverDiagnostics({ onRejected: false }).onRejected(rejection as never)
  expect(error.mock.calls).toEqual([['[webhook-receiver] 401 signature_mismatch: because']])
})

test.each([
  ['no process', undefined],
  ['a process without modules', {}],
  ['no such module', { getBuiltinModule: () => undefined }],
])('where there is %s, nothing is published and nothing breaks', (_, process) => {
  listen()
  vi.stubGlobal('process', process)
  receiverDiagnostics().onAccepted({ id: '1' } as never)
  handlerDiagnostics().onHandling({ step: 'claimed' } as never)
  vi.unstubAllGlobals()
  expect(reported).toEqual([])
})
