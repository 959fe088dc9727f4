import { Readable } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { readBody, upTo } from '../../src/adapter.ts'
import { signDelivery } from '../../src/testing/index.ts'
import { current, expectRejection, receiverWith, signed } from '../deliveries.ts'
import { chunked, pieces, request } from './streams.ts'

const { body } = signed('message.received')

const none = new Uint8Array(0)

describe('a Request', () => {
  test.each([
    ['of a byte', pieces(body, 1)],
    ['with empty ones in between', [none, body.slice(0, 9), none, none, body.slice(9), none]],
  ])('is accepted in chunks %s', async (_, chunks) => {
    const { stream, pulled } = chunked(chunks)
    const { verification } = await receiverWith().receiveRequest(
      request('message.received', stream),
    )
    expect(verification.rawBody).toEqual(body)
    expect(pulled()).toBe(body.length)
  })

  test('tells the hooks its url and user agent', async () => {
    const onAccepted = vi.fn()
    const headers = { 'User-Agent': 'sender/1', 'X-Webhook-Id': 'wh_1' }
    await receiverWith({ onAccepted }).receiveRequest(request('message.received', body, headers))
    await receiverWith({ onAccepted }).receiveRequest(request('message.received'))
    const url = '/webhooks?a=1'
    expect(onAccepted.mock.calls).toMatchObject([
      [{ webhookId: 'wh_1', remote: { url, userAgent: 'sender/1' } }],
      [{ webhookId: undefined, remote: { url, userAgent: undefined } }],
    ])
  })

  test.each([undefined, { method: 'POST', url: '/', headers: { host: 'localhost' } }])(
    'is what is asked for: %j is none',
    async (given) => {
      const attempt = receiverWith().receiveRequest(given as never)
      const says = /^receiveRequest of .* got no web-standard Request/
      await expect(attempt).rejects.toThrow(
        expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(says) }),
      )
    },
  )

  test('without a body is judged as one of no bytes', async () => {
    const attempt = (name: 'empty body' | 'message.received') =>
      receiverWith().receiveRequest(request(name, null))
    await expectRejection(attempt('empty body'), 400, 'body_not_json')
    await expectRejection(attempt('message.received'), 401, 'signature_mismatch')
    expect(await readBody(request('empty body', null), upTo(1))).toEqual(none)
  })
})

test.each([1, 100])('the limit is exact in chunks of %d bytes', async (size) => {
  const attempt = (limit: number) => {
    const { stream } = chunked(pieces(body, size))
    // What is announced proves nothing.
    const lying = request('message.received', stream, { 'Content-Length': '10' })
    return receiverWith({ limit }).receiveRequest(lying)
  }
  expect((await attempt(body.length)).delivery.known).toBe(true)
  const { detail } = await expectRejection(attempt(body.length - 1), 413, 'body_too_large')
  expect(detail).toContain(`over \`limit\` (${body.length - 1} bytes)`)
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
    const { verification } = await receiverWith().receiveRequest(odd(...chunks))
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
        const attempt = receiverWith({ limit: 5000 }).receiveRequest(odd(...chunks))
        const { detail } = await expectRejection(attempt, 500, 'body_already_read')
        if (kind) expect(detail).toContain(`its stream contains ${kind} instead of bytes`)
      }
    },
  )

  function failed(): never {
    throw new Error('looked at')
  }
})

test.each([
  ['a stream of Node', Readable.from([body])],
  ['missing', undefined],
])(
  'a body that is %s, as in the Request of a package, is the receiver’s fault: 500 body_already_read',
  async (_, value) => {
    const foreign = Object.defineProperty(request('message.received'), 'body', { value })
    const attempt = receiverWith().receiveRequest(foreign)
    const { detail } = await expectRejection(attempt, 500, 'body_already_read')
    expect(detail).toContain("it is no ReadableStream. Pass the runtime's Request")
  },
)

describe('a body that is not there any more', () => {
  test.each([
    ['was read', (given: Request) => given.text()],
    ['is locked', (given: Request) => given.body?.getReader()],
  ])('because it %s is the receiver’s fault: 500 body_already_read', async (_, take) => {
    const given = request('message.received')
    await take(given)
    const attempt = receiverWith().receiveRequest(given)
    const { detail } = await expectRejection(attempt, 500, 'body_already_read')
    expect(detail).toContain('The body was read before the receiver got it.')
    expect(detail).toContain('request.clone()')
  })

  const gone = new Error('ECONNRESET')
  const stopped = (property: object) =>
    Object.assign(new Error('request body size exceeded'), property)
  const SMALLER = 'raise its limit. It says: request body size exceeded'

  test.each([
    ['the sender broke off', gone, 400, 'body_incomplete', 'closed after 100 bytes'],
    ['of an error that is none', undefined, 400, 'body_incomplete', 'closed after 100 bytes'],
    ['of another status', { status: 500 }, 400, 'body_incomplete', 'closed after 100 bytes'],
    ['a server has a smaller limit', stopped({ status: 413 }), 413, 'body_too_large', SMALLER],
    ['Express has one', stopped({ statusCode: 413 }), 413, 'body_too_large', SMALLER],
  ] as const)('because %s is rejected', async (_, thrown, status, reason, says) => {
    function* breaking() {
      yield body.slice(0, 100)
      throw thrown
    }
    const { stream } = chunked(breaking())
    const attempt = receiverWith().receiveRequest(request('message.received', stream))
    const { cause, detail } = await expectRejection(attempt, status, reason)
    expect(cause).toBe(thrown)
    expect(detail).toContain('after 100 bytes')
    expect(detail).toContain(says)
  })
})

test('a request whose body cannot be had is rejected by its headers', async () => {
  const request = new Request('http://localhost/webhooks', { method: 'POST', body: '{}' })
  Object.defineProperty(request, 'body', {
    get() {
      throw new TypeError('The URL includes credentials.')
    },
  })
  await expectRejection(receiverWith().receiveRequest(request), 401, 'signature_missing')
  const { headers } = await signDelivery(current.secret, 'message.read')
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
  await expectRejection(receiverWith().receiveRequest(request), 400, 'body_incomplete')
})
