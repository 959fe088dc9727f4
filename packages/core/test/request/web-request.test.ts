import { describe, expect, test, vi } from 'vitest'
import { readBody, upTo } from '../../src/adapter.ts'
import { createReceiver, type ReceiverOptions } from '../../src/index.ts'
import { signDelivery } from '../../src/testing/index.ts'
import { expectRejection, receiverWith, signed } from '../deliveries.ts'
import { chunked, endless, pieces, request } from './streams.ts'

const { body } = signed('message.received')

const receiver = (options: ReceiverOptions = {}) => receiverWith(options)

describe('a Request', () => {
  test.each([1, 64])('is accepted in chunks of %d bytes', async (size) => {
    const { stream, pulled } = chunked(pieces(body, size))
    const { verification } = await receiver().receiveRequest(request('message.received', stream))
    expect(verification.rawBody).toEqual(body)
    expect(pulled()).toBe(body.length)
  })

  test('is accepted with empty chunks in between', async () => {
    const none = new Uint8Array(0)
    const chunks = [none, body.slice(0, 9), none, none, body.slice(9), none]
    const { stream } = chunked(chunks)
    const { verification } = await receiver().receiveRequest(request('message.received', stream))
    expect(verification.rawBody).toEqual(body)
  })

  test('tells the hooks its url and user agent', async () => {
    const onAccepted = vi.fn()
    const headers = { 'User-Agent': 'sender/1', 'X-Webhook-Id': 'wh_1' }
    await receiver({ onAccepted }).receiveRequest(request('message.received', body, headers))
    await receiver({ onAccepted }).receiveRequest(request('message.received'))
    const url = '/webhooks?a=1'
    expect(onAccepted.mock.calls).toMatchObject([
      [{ webhookId: 'wh_1', remote: { url, userAgent: 'sender/1' } }],
      [{ webhookId: undefined, remote: { url, userAgent: undefined } }],
    ])
  })

  test.each([undefined, { method: 'POST', url: '/', headers: { host: 'localhost' } }])(
    'is what is asked for: %j is none',
    async (given) => {
      const attempt = receiver().receiveRequest(given as never)
      const says = /^receiveRequest of .* got no web-standard Request/
      await expect(attempt).rejects.toThrow(
        expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(says) }),
      )
    },
  )

  test('without a body is judged as one of no bytes', async () => {
    const attempt = (name: 'empty body' | 'message.received') =>
      receiver().receiveRequest(request(name, null))
    await expectRejection(attempt('empty body'), 400, 'body_not_json')
    await expectRejection(attempt('message.received'), 401, 'signature_mismatch')
    expect(await readBody(request('empty body', null), upTo(1))).toEqual(new Uint8Array(0))
  })
})

describe('the limit', () => {
  test.each([1, 100])('is exact in chunks of %d bytes', async (size) => {
    const attempt = (limit: number) => {
      const { stream } = chunked(pieces(body, size))
      return receiver({ limit }).receiveRequest(request('message.received', stream))
    }
    expect((await attempt(body.length)).delivery.known).toBe(true)
    const { detail } = await expectRejection(attempt(body.length - 1), 413, 'body_too_large')
    expect(detail).toContain(`more than \`limit\` (${body.length - 1} bytes)`)
  })

  test('holds against a Content-Length that announces less: 413 body_too_large', async () => {
    const { stream } = chunked(endless(1000))
    const lying = request('message.received', stream, { 'Content-Length': '10' })
    expect(lying.headers.get('content-length')).toBe('10')
    await expectRejection(receiver({ limit: 5000 }).receiveRequest(lying), 413, 'body_too_large')
  })
})

describe('a stream of the application’s own', () => {
  const whole = body.slice().buffer
  const odd = (...chunks: readonly unknown[]) =>
    request(
      'message.received',
      new ReadableStream({
        start(controller) {
          // The type says bytes; nothing holds a stream to that.
          for (const chunk of chunks) controller.enqueue(chunk as never)
          controller.close()
        },
      }),
    )

  test.each([
    ['an ArrayBuffer', [whole]],
    ['a DataView', [new DataView(whole, 0, 64), new DataView(whole, 64)]],
  ])('may bring %s', async (_name, chunks) => {
    const { verification } = await receiver().receiveRequest(odd(...chunks))
    expect(verification.rawBody).toEqual(body)
  })

  test.each([
    ['text', Buffer.from(body).toString(), 'a string'],
    ['a length that is not a number', { length: 'NaN' }, 'an object'],
    [
      'what throws when it is looked at',
      new Proxy({}, { get: failed, getPrototypeOf: failed }),
      undefined,
    ],
  ])(
    'that brings %s is the receiver’s fault: 500 body_already_read',
    async (_name, chunk, kind) => {
      for (const chunks of [[chunk], [body.slice(0, 10), chunk, body.slice(10)]]) {
        const attempt = receiver({ limit: 5000 }).receiveRequest(odd(...chunks))
        const { detail } = await expectRejection(attempt, 500, 'body_already_read')
        if (kind) expect(detail).toContain(`its stream contains ${kind} instead of bytes`)
      }
    },
  )

  function failed(): never {
    throw new Error('looked at')
  }
})

describe('a body that is not there any more', () => {
  test('because it was read is the receiver’s fault: 500 body_already_read', async () => {
    const read = request('message.received')
    await read.text()
    expect(read.bodyUsed).toBe(true)
    const { detail } = await expectRejection(
      receiver().receiveRequest(read),
      500,
      'body_already_read',
    )
    expect(detail).toContain('The body was read before the receiver got it.')
    expect(detail).toContain('request.clone()')
  })

  test('because it is locked is the receiver’s fault: 500 body_already_read', async () => {
    const locked = request('message.received')
    locked.body?.getReader()
    expect(locked.bodyUsed).toBe(false)
    await expectRejection(receiver().receiveRequest(locked), 500, 'body_already_read')
  })

  test('because the sender broke off is rejected: 400 body_incomplete', async () => {
    const broken = new Error('ECONNRESET')
    function* breaking() {
      yield body.slice(0, 100)
      throw broken
    }
    const { stream } = chunked(breaking())
    const attempt = receiver().receiveRequest(request('message.received', stream))
    const error = await expectRejection(attempt, 400, 'body_incomplete')
    expect(error.cause).toBe(broken)
    expect(error.detail).toContain('closed after 100 bytes')
  })

  test.each([
    ['status', 413],
    ['statusCode', 413],
  ])('because a server has a smaller limit is rejected: 413 by its %s', async (name, value) => {
    const stopped = Object.assign(new Error('request body size exceeded'), { [name]: value })
    function* breaking() {
      yield body.slice(0, 100)
      throw stopped
    }
    const { stream } = chunked(breaking())
    const attempt = receiver().receiveRequest(request('message.received', stream))
    const error = await expectRejection(attempt, 413, 'body_too_large')
    expect(error.cause).toBe(stopped)
    expect(error.detail).toContain(
      'stopped the body after 100 bytes: raise its limit. It says: request body size exceeded',
    )
  })

  test.each([undefined, { status: 500 }])(
    'because of %o is rejected: 400 body_incomplete',
    async (thrown) => {
      const stream = new ReadableStream({
        pull() {
          throw thrown
        },
      })
      const attempt = receiver().receiveRequest(request('message.received', stream))
      await expectRejection(attempt, 400, 'body_incomplete')
    },
  )
})

test('a request whose body cannot be had is rejected by its headers', async () => {
  const request = new Request('http://localhost/webhooks', { method: 'POST', body: '{}' })
  Object.defineProperty(request, 'body', {
    get() {
      throw new TypeError('The URL includes credentials.')
    },
  })
  const receiver = createReceiver('whsec_test', { onRejected: false })
  const rejected = receiver.receiveRequest(request)
  await expect(rejected).rejects.toMatchObject({ status: 401, reason: 'signature_missing' })
  const { headers } = await signDelivery('whsec_test', 'message.read')
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
  const signed = receiver.receiveRequest(request)
  await expect(signed).rejects.toMatchObject({ status: 400, reason: 'body_incomplete' })
})
