import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { CHANNELS, createReceiver, memoryStore, webhookHandler } from '@webhook-receiver/core'
import { deliverTo, signedRequest } from '@webhook-receiver/core/testing'
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

const listen = () => {
  for (const { name, listener } of listeners) subscribe(name, listener)
}

afterEach(() => {
  for (const { name, listener } of listeners) unsubscribe(name, listener)
  reported.length = 0
})

/** A handler, and a function that sends to it and resolves to the status. */
function serving(endpoint?: string) {
  const handler = webhookHandler(
    { current: SECRET },
    {
      'message.received': async ({ data }) => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        if (data.data.fail) throw new RangeError(JSON.stringify(data))
      },
    },
    { endpoint, store: memoryStore(), onRejected: false, onError: () => {} },
  )
  return async (event: string, data: object, { id = 'the-id', secret = SECRET, ago = 0 } = {}) => {
    const now = () => Date.now() - ago * 1000
    const options = { secret, id, now, publicUrl: 'http://127.0.0.1' }
    const path = `/webhooks?token=${BODY}`
    const content = { ...data, note: BODY }
    return (await deliverTo(handler, event, content, { ...options, path })).status
  }
}

test('a delivery, its duplicates, a failure and rejections are published without any content', async () => {
  listen()
  const send = serving('orders')
  const copies = await Promise.all([send('message.received', {}), send('message.received', {})])
  expect(copies.sort()).toEqual([204, 503])
  expect(await send('message.received', {}, { ago: 100 })).toBe(204)
  expect(await send('message.received', { fail: true }, { id: 'failing' })).toBe(500)
  expect(await send('message.read', {}, { id: 'ignored' })).toBe(204)
  expect(await send('message.received', {}, { secret: 'whsec_of_another' })).toBe(401)
  expect(await send('message.received', {}, { ago: 400 })).toBe(401)

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
    scheme: 'contract',
    id: 'the-id',
    event: 'message.received',
    key: 'the-id',
    known: true,
    secret,
  })
  expect(of('rejected')[1]).toEqual({
    ...times,
    age: expect.closeTo(400, -1),
    skew: 0,
    endpoint: 'orders',
    scheme: 'contract',
    reason: 'timestamp_too_old',
    status: 401,
    signatureValid: true,
    proven: true,
    secrets: [secret],
  })
  expect(of('failed')).toEqual([
    {
      ...times,
      endpoint: 'orders',
      scheme: 'contract',
      id: 'failing',
      event: 'message.received',
      key: 'failing',
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

  const everything = JSON.stringify(reported)
  for (const canary of [SECRET, BODY, 'sha256=', '127.0.0.1', 'whsec_']) {
    expect(everything).not.toContain(canary)
  }
})

test('a received delivery is published before its handler runs', async () => {
  listen()
  await serving()('message.received', {})
  expect(reported.map(([what]) => what)).toEqual([
    'received',
    'store',
    'claimed',
    'store',
    'completed',
  ])
})

test('nothing is published if nobody listens', async () => {
  const spies = Object.values(CHANNELS).map((name) => vi.spyOn(channel(name), 'publish'))
  const send = serving()
  await send('message.received', {})
  await send('message.received', {}, { secret: 'whsec_of_another' })
  for (const published of spies) expect(published).not.toHaveBeenCalled()
})

test.each([
  ['no process', undefined],
  ['no such module', { getBuiltinModule: () => undefined }],
  [
    'the process of the Edge Runtime of Next.js',
    {
      getBuiltinModule() {
        throw new Error('A Node.js API is used which is not supported in the Edge Runtime.')
      },
    },
  ],
])('with %s, nothing is published and nothing breaks', async (_, process) => {
  listen()
  const request = await signedRequest('message.read', {}, { secret: SECRET })
  vi.stubGlobal('process', process)
  const receiver = createReceiver(SECRET, { onRejected: false })
  const { delivery } = await receiver.receiveRequest(request)
  vi.unstubAllGlobals()
  expect(delivery.event).toBe('message.read')
  expect(reported).toEqual([])
})
