import {
  createDeliveryHandler,
  createReceiver,
  memoryStore,
  parseStoredDelivery,
  WebhookHandshake,
  webhookHandler,
} from '@webhook-receiver/core'
import { sampleDelivery, signDelivery, signedRequest } from '@webhook-receiver/core/testing'
import { bodyScheme, challengeScheme } from '@webhook-receiver/suites'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { expectRejection } from './deliveries.ts'
import { failOnUnhandled } from './handling/stores.ts'

failOnUnhandled()

const secret = 'shared by hand'
const url = 'https://hooks.example.com/in?a=1'

const push = (id = 'one', data: object = { ref: 'main' }) =>
  signedRequest('push', { ...data }, { secret, scheme: bodyScheme, id })

const created = async (data: object = { type: 'created' }) => {
  const signed = await signDelivery(secret, data, { scheme: challengeScheme, url })
  return new Request(url, { method: 'POST', ...signed })
}

describe('the public URL', () => {
  test.each([
    ['throws', () => expect.unreachable()],
    ['returns no string', () => undefined as never],
    ['returns a promise that rejects', async () => expect.unreachable()],
    ['returns no URL', () => 'undefined/hooks'],
    ['returns a URL that is not escaped', () => 'https://hooks.example.com/é'],
  ])('is 503 if the function %s', async (_, publicUrl: () => unknown) => {
    const functions = { publicUrl: publicUrl as never }
    const options = { scheme: challengeScheme, ...functions, onRejected: false } as const
    const attempt = createReceiver(secret, options).receiveRequest(await created())
    await expectRejection(attempt, 503, 'url_unavailable')
  })

  const { origin: publicUrl, pathname, search } = new URL(url)
  /** A delivery whose adapter says that this was its target. */
  const receivedAt = async (target: unknown) => {
    const scheme = challengeScheme
    const { headers, body } = await signDelivery(secret, { a: 1 }, { scheme, url })
    return createReceiver(secret, { scheme, publicUrl, onRejected: false }).receive({
      method: 'POST',
      header: (name) => headers[name],
      readBody: () => body,
      context: new Request(url),
      remote: () => ({ url: target as string }),
    })
  }

  test('has the path and query of a target that is a whole URL', async () => {
    const { delivery } = await receivedAt(`http://10.0.0.1${pathname}${search}`)
    expect(delivery.data).toEqual({ a: 1 })
  })

  test.each([undefined, Symbol('url'), { toString: () => pathname + search }])(
    'of a target that is %s causes a rejection, and no other error',
    async (target) => {
      await expectRejection(receivedAt(target), 401, 'signature_mismatch')
    },
  )
})

test('the tolerance is that of the scheme, unless it is given', async () => {
  const at = (seconds: number, tolerance?: number) =>
    createReceiver(secret, {
      scheme: challengeScheme,
      publicUrl: () => url,
      now: () => Date.now() + seconds * 1000,
      onRejected: false,
      tolerance,
    })
  await expectRejection(at(400).receiveRequest(await created()), 401, 'timestamp_too_old')
  const { verification } = await at(400, 500).receiveRequest(await created())
  expect(verification.timestamp).toMatch(/^\d{10}$/)
})

test('a tolerance for a service without a timestamp is a TypeError', () => {
  expect(() => createReceiver(secret, { scheme: bodyScheme, tolerance: 300 })).toThrow(
    '`tolerance` should be left out: body signs no timestamp',
  )
  createReceiver(secret, { scheme: bodyScheme, tolerance: Number.POSITIVE_INFINITY })
})

test('only `true` of a scheme is a valid signature', async () => {
  const scheme = { ...bodyScheme, verify: () => 'false' as never }
  const attempt = createReceiver(secret, { scheme, onRejected: false }).receiveRequest(await push())
  await expectRejection(attempt, 401, 'signature_mismatch')
})

test('receiveRequest throws a handshake, which brings its response', async () => {
  const receiver = createReceiver(secret, { scheme: challengeScheme, publicUrl: () => url })
  const thrown = await receiver
    .receiveRequest(await created({ type: 'url_verification', challenge: 'abc' }))
    .catch((error: unknown) => error)
  if (!(thrown instanceof WebhookHandshake)) throw thrown
  const response = thrown.getResponse()
  expect([response.status, await response.text()]).toEqual([200, 'abc'])
  expect(response.headers.get('content-type')).toBe('text/plain')
})

test('a schema describes `data`', async () => {
  const schemas = { push: z.object({ ref: z.string().transform((ref) => ref.length) }) }
  const receiver = createReceiver(secret, { scheme: bodyScheme, schemas, onRejected: false })
  const { delivery } = await receiver.receiveRequest(await push())
  expect(delivery.data).toEqual({ ref: 4 })
  const wrong = receiver.receiveRequest(await push('one', { ref: 1 }))
  const { detail } = await expectRejection(wrong, 500, 'schema_mismatch')
  expect(detail).toContain('"push" does not fit its zod schema at data.ref: correct')
})

test.each([
  ['x-hub-signature-256', undefined, 'Pass its scheme: github or meta. Or'],
  ['x-webhook-signature', bodyScheme, 'Leave out `scheme`. Or give'],
])(
  'the detail names the scheme of another service whose header a request has: %s',
  async (header, scheme, advice) => {
    const receiver = createReceiver('whsec_1', { onRejected: false, scheme: scheme as never })
    const init = { method: 'POST', headers: { [header]: 'v1=abc' }, body: '{}' }
    const attempt = receiver.receiveRequest(new Request(url, init))
    const { detail } = await expectRejection(attempt, 401, 'signature_missing')
    expect(detail).toContain(`Another service's header: ${header}. `)
    expect(detail).toContain(advice)
    expect(detail).not.toContain('proxy')
  },
)

describe('in a handler', () => {
  const fail = () => {
    throw new Error('no such tenant')
  }

  test('the endpoint is the name of the scheme, in hooks and in the key of the store', async () => {
    const [onAccepted, onHandling] = [vi.fn(), vi.fn()]
    const store = memoryStore()
    const claim = vi.spyOn(store, 'claim')
    const options = { scheme: bodyScheme, store, duplicates: 'id', onAccepted, onHandling } as const
    expect((await webhookHandler(secret, () => {}, options)(await push())).status).toBe(204)
    const [name, key] = String(claim.mock.calls[0]?.[0]).split(':')
    expect([name, key]).toEqual(['body', expect.stringMatching(/^sha256-[0-9a-f]{64}$/)])
    const place = { key, scheme: 'body', endpoint: 'body' }
    const fact = { ...place, id: 'one', event: 'push', known: undefined }
    for (const { mock } of [onAccepted, onHandling]) expect(mock.lastCall).toMatchObject([fact])
  })

  test.each([
    ['a `duplicates` function that returns no string', { duplicates: () => undefined as never }],
    ['an `endpoint` function that returns no name', { endpoint: () => undefined as never }],
    ['an `endpoint` function that throws an error', { endpoint: fail }],
    ['a `duplicates` function that throws an error', { duplicates: fail }],
    ['an async `endpoint` function that rejects', { endpoint: (async () => fail()) as never }],
    ['an async `duplicates` function that rejects', { duplicates: (async () => fail()) as never }],
  ])('%s is 500, and nothing runs', async (_, functions) => {
    const [work, onRejected] = [vi.fn(), vi.fn()]
    const shared = { scheme: bodyScheme, store: memoryStore(), duplicates: 'id' } as const
    const options = { ...shared, onRejected, ...functions }
    const response = await webhookHandler(secret, work, options)(await push())
    expect([response.status, work.mock.calls]).toEqual([500, []])
    expect(onRejected.mock.calls).toMatchObject([
      [{ reason: 'key_unavailable', signatureValid: true }],
    ])
  })

  test('the default timeout is below what the service waits', async () => {
    vi.useFakeTimers()
    const handle = createDeliveryHandler(() => new Promise(() => {}), {
      ...{ scheme: bodyScheme, store: memoryStore(), duplicates: 'id', onRejected: false },
    })
    const handled = handle(
      { scheme: 'body', id: 'one', event: 'push', data: {} },
      { endpoint: 'body', key: 'sha256-1' },
    )
    const timeout = expectRejection(handled, 503, 'handler_timeout')
    await vi.advanceTimersByTimeAsync(8_001)
    vi.useRealTimers()
    expect((await timeout).detail).toContain('after 8 s')
  })

  test('a worker takes the deliveries of its scheme only', async () => {
    const handle = createDeliveryHandler(() => {}, { scheme: bodyScheme })
    const other = { scheme: 'challenge', id: 'one', event: 'push', data: {} } as never
    const { detail } = await expectRejection(handle(other), 500, 'delivery_missing')
    expect(detail).toContain('It is a delivery of the scheme "challenge": pass this `scheme`')
  })

  test.each([
    ['an event', { push() {} }, { ...bodyScheme, hasEvent: false }, 'body has no names of events.'],
    ['`unknown`', { unknown() {} }, bodyScheme, 'only the default format has it.'],
  ])('%s that the service does not have is a TypeError', (_, handlers, scheme, why) => {
    const create = () => webhookHandler(secret, handlers as never, { scheme: scheme as never })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(`${why} Use \`any\``)
  })
})

describe('a stored delivery', () => {
  const { id, ...without } = { scheme: 'body', id: 'one', event: 'push', data: { ref: 'main' } }
  const stored = { ...without, id }

  test('needs no id that is not signed', () => {
    expect(parseStoredDelivery(without, { scheme: bodyScheme })).toEqual(without)
    const signed = { ...bodyScheme, unsigned: ['event'] } as const
    expect(() => parseStoredDelivery(without, { scheme: signed })).toThrow(TypeError)
  })

  test('says itself of which scheme it is, where several share a queue', () => {
    const schemes = [challengeScheme, bodyScheme]
    expect(parseStoredDelivery(JSON.stringify(stored), { schemes })).toEqual(stored)
    const message = sampleDelivery('message.received')
    expect(parseStoredDelivery(message, { schemes })).toEqual({ ...message, known: true })
    const wanted = "Its scheme is 'body': pass it in `schemes`."
    expect(() => parseStoredDelivery(stored)).toThrow(wanted)
    expect(() => parseStoredDelivery(stored, { schemes: [challengeScheme] })).toThrow(wanted)
    expect(() => parseStoredDelivery(stored, { schemes: Object('body') })).toThrow(
      '`schemes` should be an array of schemes, such as [stripe, github]',
    )
  })

  test.each([
    ['another scheme', { ...stored, scheme: 'challenge' }],
    ['no event', { ...stored, event: 1 }],
    ['no data', { ...stored, event: 'constructor', data: undefined }],
  ])('with %s is a TypeError', (_, json) => {
    const parse = () => parseStoredDelivery(json, { scheme: bodyScheme })
    expect(parse).toThrow(TypeError)
    expect(parse).toThrow('not a delivery of body')
  })
})
