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
function serving() {
  const handler = webhookHandler(
    { current: SECRET },
    {
      'message.received': async ({ data }) => {
        if (data.data.fail) throw new RangeError(JSON.stringify(data))
      },
    },
    { endpoint: 'orders', store: memoryStore(), onRejected: false, onError: () => {} },
  )
  return async (event: string, data: object, { id = 'the-id', secret = SECRET, ago = 0 } = {}) => {
    const now = () => Date.now() - ago * 1000
    const options = { secret, id, now, publicUrl: 'http://127.0.0.1' }
    const path = `/webhooks?token=${BODY}`
    const content = { ...data, note: BODY }
    return (await deliverTo(handler, event, content, { ...options, path })).status
  }
}

test('a delivery, its duplicate, a failure and rejections are published in their order, without any content', async () => {
  listen()
  const send = serving()
  expect([
    await send('message.received', {}),
    await send('message.received', {}, { ago: 100 }),
    await send('message.received', { fail: true }, { id: 'failing' }),
    await send('message.read', {}, { id: 'ignored' }),
    await send('message.received', {}, { secret: 'whsec_of_another' }),
    await send('message.received', {}, { ago: 400 }),
  ]).toEqual([204, 204, 500, 204, 401, 401])

  const names = reported.map(
    ([what, { id, reason, result }]) => `${what} ${id ?? reason ?? result}`,
  )
  expect(names).toEqual([
    ...['received the-id', 'store claimed', 'claimed the-id', 'store ok', 'completed the-id'],
    ...['received the-id', 'store done', 'duplicate the-id'],
    ...['received failing', 'store claimed', 'claimed failing', 'store ok', 'failed failing'],
    ...['received ignored', 'ignored ignored'],
    ...['rejected signature_mismatch', 'rejected timestamp_too_old'],
  ])
  const last = (what: string) => reported.findLast(([name]) => name === what)?.[1]
  const secret = { name: 'current', fingerprint: FINGERPRINT }
  const at = { at: expect.any(Number), duration: expect.any(Number), endpoint: 'orders' }
  const event = { scheme: 'contract', id: 'failing', event: 'message.received', key: 'failing' }
  expect(last('failed')).toEqual({
    ...at,
    ...event,
    known: true,
    reason: undefined,
    errorName: 'RangeError',
  })
  const age = (seconds: number) => ({ age: expect.closeTo(seconds, -1), skew: 0 })
  expect(reported[5]?.[1]).toEqual({
    ...at,
    ...event,
    ...age(100),
    id: 'the-id',
    key: 'the-id',
    known: true,
    secret,
  })
  expect(last('rejected')).toEqual({
    ...at,
    ...age(400),
    scheme: 'contract',
    reason: 'timestamp_too_old',
    status: 401,
    signatureValid: true,
    proven: true,
    secrets: [secret],
  })
  const claim = { operation: 'claim', result: 'claimed', errorName: undefined }
  expect(reported[1]?.[1]).toEqual({ ...at, ...claim })

  const everything = JSON.stringify(reported)
  for (const canary of [SECRET, BODY, 'sha256=', '127.0.0.1', 'whsec_']) {
    expect(everything).not.toContain(canary)
  }
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
