import { readFile } from 'node:fs/promises'
import {
  createReceiver,
  deliveryHandler,
  type LambdaEvent,
  receiveEvent,
  toResult,
  webhookHandler,
} from '@webhook-receiver/aws-lambda'
import {
  deliverTo,
  EVENT_FORMS,
  type EventForm,
  type EventRequest,
  signDelivery,
  toEvent,
} from '@webhook-receiver/aws-lambda/testing'
import { describe, expect, test, vi } from 'vitest'

const secret = 'whsec_lambda'
const quiet = { onRejected: false } as const

/** A signed request, with more headers behind its own. */
async function signed(more: EventRequest['headers'] = []): Promise<EventRequest> {
  const { headers, body } = await signDelivery(secret, 'message.received')
  return {
    method: 'POST',
    path: '/webhooks?a=1',
    headers: [...Object.entries(headers), ...more],
    body,
  }
}

const statusOf = async (event: unknown, options = {}) => {
  const handler = webhookHandler(secret, () => {}, { ...quiet, ...options })
  return (await handler(event as LambdaEvent)).statusCode
}

describe.each(EVENT_FORMS)('an event of the form %s', (form) => {
  test.each([true, false])('has the bytes that were sent, with base64: %s', async (base64) => {
    const request = await signed()
    const receiver = createReceiver<LambdaEvent>(secret)
    const { verification } = await receiveEvent(receiver, toEvent(form, { ...request, base64 }))
    expect(Buffer.compare(verification.rawBody, request.body)).toBe(0)
  })

  test('has its headers in any case', async () => {
    const request = await signed()
    const headers = request.headers.map(([name, value]) => [name.toUpperCase(), value] as const)
    expect(await statusOf(toEvent(form, { ...request, headers }))).toBe(204)
  })

  test('without a body is not accepted', async () => {
    const event = toEvent(form, { ...(await signed()), body: new Uint8Array() })
    for (const body of [undefined, null, '']) {
      expect(await statusOf({ ...event, body })).toBe(401)
    }
  })

  test('with bytes that are no UTF-8 is accepted as base64 and refused as text', async () => {
    const { headers, body } = await signDelivery(secret, Uint8Array.of(0x22, 0xff, 0x22))
    const request = { ...(await signed()), headers: Object.entries(headers), body }
    const found: unknown[] = []
    const onRejected = ({ reason }: { reason: string }) => void found.push(reason)
    await statusOf(toEvent(form, { ...request, base64: true }), { onRejected })
    await statusOf(toEvent(form, { ...request, base64: false }), { onRejected })
    expect(found).toEqual(['body_not_utf8', 'signature_mismatch'])
  })

  test('tells a hook the path, and the sender where the event names it', async () => {
    const onRejected = vi.fn()
    const event = toEvent(form, await signed([['User-Agent', 'sender/1']]))
    await webhookHandler('whsec_other', () => {}, { onRejected })(event)
    const url = form === 'http-api' || form === 'function-url' ? '/webhooks?a=1' : '/webhooks'
    const address = form.startsWith('alb') ? undefined : '192.0.2.1'
    expect(onRejected.mock.calls[0]?.[0].remote).toEqual({ url, address, userAgent: 'sender/1' })
  })

  test('gives a quarantine all of its headers', async () => {
    const keep = vi.fn()
    const quarantine = { accepted() {}, keep }
    const event = toEvent(form, await signed([['X-Other', 'one']]))
    await webhookHandler('whsec_other', () => {}, { ...quiet, quarantine })(event)
    const [{ headers }] = keep.mock.calls[0] ?? [{}]
    const names = headers.map(([name]: [string]) => name.toLowerCase())
    expect(names).toEqual(expect.arrayContaining(['x-webhook-signature', 'x-other']))
  })

  test('is answered 405 with Allow where it is no POST', async () => {
    const event = toEvent(form, { ...(await signed()), method: 'GET' })
    const handler = webhookHandler(secret, () => {}, quiet)
    const result = await handler(event)
    const allow = form === 'alb-multi-value' ? ['POST'] : 'POST'
    expect(result.statusCode).toBe(405)
    expect((result.headers ?? result.multiValueHeaders)?.allow).toEqual(allow)
  })
})

describe('a header that was sent twice', () => {
  const forms = EVENT_FORMS.filter((form) => form !== 'alb')

  test.each(forms)('is refused from %s', async (form) => {
    const request = await signed()
    const twice = request.headers.filter(([name]) => name === 'X-Webhook-Signature')
    expect(twice).toHaveLength(1)
    const event = toEvent(form, { ...request, headers: [...request.headers, ...twice] })
    expect(await statusOf(event)).toBe(401)
  })

  test('is refused also under names that differ in case only', async () => {
    const event = toEvent('rest-api', await signed([['x-webhook-SIGNATURE', 'sha256=']]))
    expect(Object.keys(event.multiValueHeaders ?? {})).toContain('x-webhook-SIGNATURE')
    expect(await statusOf(event)).toBe(401)
  })

  test('has its last line only from a load balancer without multi-value headers', async () => {
    const request = await signed()
    const [right] = request.headers.filter(([name]) => name === 'X-Webhook-Signature')
    const wrong = ['X-Webhook-Signature', `sha256=${'0'.repeat(64)}`] as const
    const others = request.headers.filter((header) => header !== right)
    const [last = wrong] = [right]
    const event = (headers: EventRequest['headers']) => toEvent('alb', { ...request, headers })
    expect(await statusOf(event([...others, wrong, last]))).toBe(204)
    expect(await statusOf(event([...others, last, wrong]))).toBe(401)
  })
})

describe('an event that was written by hand', () => {
  test('may have a list of headers that is empty', async () => {
    const event = toEvent('rest-api', await signed())
    expect(await statusOf({ ...event, multiValueHeaders: {} })).toBe(204)
    const others = { multiValueHeaders: { other: ['x'] } }
    expect(await statusOf({ ...event, ...others })).toBe(401)
  })

  test('may have a number in the place of a timestamp', async () => {
    const event = toEvent('http-api', await signed())
    const stamp = event.headers?.['x-webhook-timestamp']
    const headers = { ...event.headers, 'x-webhook-timestamp': Number(stamp) }
    expect(String(headers['x-webhook-timestamp'])).toBe(stamp)
    expect(await statusOf({ ...event, headers })).toBe(204)
  })

  test('is refused for a header that is an object', async () => {
    const event = toEvent('http-api', await signed())
    for (const value of [{}, { toString: 1 }, [{}], null]) {
      const have = (...names: string[]) => ({
        ...event,
        headers: { ...event.headers, ...Object.fromEntries(names.map((name) => [name, value])) },
      })
      expect(await statusOf(have('x-webhook-signature'))).toBe(401)
      expect(await statusOf(have('x-webhook-timestamp'))).toBe(401)
      expect(await statusOf(have('content-encoding', 'content-length'))).toBe(204)
    }
  })
})

describe('a body that is not what was sent', () => {
  test.each(['e30', 'e30=\n', 'e3 0=', 'e30-', '{}'])('%j is no base64', async (body) => {
    const seen = vi.fn()
    const event = { ...toEvent('http-api', await signed()), body, isBase64Encoded: true }
    expect(await statusOf(event, { onRejected: seen })).toBe(500)
    expect(seen.mock.calls[0]?.[0]).toMatchObject({
      reason: 'body_already_read',
      detail: expect.stringContaining('the event says that it is base64, and it is not'),
    })
  })

  test('an object in place of it names a middleware and the integration', async () => {
    const seen = vi.fn()
    const event = { ...toEvent('rest-api', await signed()), body: { id: 1 } }
    expect(await statusOf(event, { onRejected: seen })).toBe(500)
    expect(seen.mock.calls[0]?.[0].detail).toMatch(
      /http-json-body-parser of Middy.* use proxy integration/,
    )
  })
})

describe('an event that is not an HTTP request', () => {
  test.each([
    [{ Records: [{ eventSource: 'aws:sqs', body: '{}' }] }, 'it comes from aws:sqs'],
    [{ Records: [{ EventSource: 'aws:sns' }] }, 'it comes from aws:sns'],
    [{ Records: [{ eventSource: 'aws:<b>' }] }, 'it may be a direct invocation'],
    [{ Records: [{ cf: {} }] }, 'it comes from Lambda@Edge'],
    [{ 'detail-type': 'Scheduled Event', source: 'aws.events' }, 'it comes from EventBridge'],
    [{ requestContext: { connectionId: 'a', routeKey: '$default' } }, 'a WebSocket API'],
    [{ requestContext: {} }, 'its `requestContext` names no method'],
    [{ httpMethod: 'POST', headers: {} }, 'it has no `requestContext`'],
    [
      { type: 'REQUEST', methodArn: 'arn:aws:x', httpMethod: 'POST', requestContext: {} },
      'authorizer',
    ],
    [
      { type: 'REQUEST', routeArn: 'arn:aws:x', requestContext: { http: { method: 'POST' } } },
      'authorizer',
    ],
    [{ id: '1', event: 'message.read' }, 'it may be a direct invocation'],
    [null, 'it may be a direct invocation'],
    ['POST', 'it may be a direct invocation'],
  ])('fails the invocation: %j', async (event, why) => {
    const work = vi.fn()
    const invoked = webhookHandler(secret, work)(event as never)
    await expect(invoked).rejects.toThrow(TypeError)
    await expect(invoked).rejects.toThrow(why)
    const received = receiveEvent(createReceiver<LambdaEvent>(secret), event as never)
    await expect(received).rejects.toThrow(TypeError)
    expect(work).not.toHaveBeenCalled()
  })
})

describe('an answer', () => {
  const body = { code: 'not_authenticated', message: 'not authenticated' }
  const headers = { 'content-type': 'application/json' }
  const lists = { 'content-type': ['application/json'] }
  const statusDescription = '401 Unauthorized'
  const forms: Record<EventForm, object> = {
    'http-api': { headers },
    'function-url': { headers },
    'rest-api': { headers },
    alb: { headers, statusDescription },
    'alb-multi-value': { multiValueHeaders: lists, statusDescription },
  }

  test.each(Object.entries(forms))('has the form that %s takes', async (form, expected) => {
    const handler = webhookHandler('whsec_other', () => {}, quiet)
    const { body: text, ...result } = await handler(toEvent(form as EventForm, await signed()))
    expect(result).toEqual({ ...expected, statusCode: 401, isBase64Encoded: false })
    expect(JSON.parse(text)).toEqual(body)
  })

  test('of the application is a Response', async () => {
    const event = toEvent('alb', await signed())
    const response = new Response('late', { status: 503, headers: { 'Retry-After': '9' } })
    expect(await toResult(event, response)).toEqual({
      statusCode: 503,
      statusDescription: '503 Service Unavailable',
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'retry-after': '9' },
      body: 'late',
      isBase64Encoded: false,
    })
  })
})

describe('a function', () => {
  test('gives its handler the event, the context and the verification', async () => {
    const work = vi.fn()
    const event = toEvent('http-api', await signed())
    const context = { getRemainingTimeInMillis: () => 3000 }
    await webhookHandler({ current: secret }, work)(event, context)
    expect(work).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ event: 'message.received' }),
      { event, context, verification: expect.objectContaining({ secretName: 'current' }) },
    )
  })

  test('gives its secret function the event', async () => {
    const find = vi.fn(() => secret)
    const event = toEvent('rest-api', await signed())
    expect((await webhookHandler(find, () => {})(event)).statusCode).toBe(204)
    expect(find).toHaveBeenCalledExactlyOnceWith(event)
  })

  test('is a TypeError without a handler, without a secret, and where it was not called', async () => {
    const event = toEvent('http-api', await signed())
    const call =
      (...args: unknown[]) =>
      () =>
        Reflect.apply(webhookHandler, undefined, args)
    expect(call(secret)).toThrow('The handler should be a function')
    expect(call(undefined, () => {})).toThrow(TypeError)
    expect(call(event, {})).toThrow('webhookHandler was exported without being called')
    const handle = () =>
      Reflect.apply(deliveryHandler, undefined, [{}, { method: 'POST', url: '/' }])
    expect(handle).toThrow(TypeError)
  })

  test('that is a deliveryHandler alone is refused, because nothing was verified', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue()
    const work = vi.fn()
    const handler = deliveryHandler({ any: work, unknown: work })
    const made = { known: true, event: 'message.received', id: '1' }
    for (const event of [toEvent('http-api', await signed()), made]) {
      for (const context of [undefined, { getRemainingTimeInMillis: () => 3000 }]) {
        const invoked = Reflect.apply(handler, undefined, [event, context])
        await expect(invoked).rejects.toMatchObject({ reason: 'delivery_missing' })
      }
    }
    const [[line]] = print.mock.calls as [[string]]
    print.mockRestore()
    expect(line).toContain('webhookHandler(secret, deliveryHandler({ … })).')
    expect(work).not.toHaveBeenCalled()
  })

  test('takes two parameters: a third is the callback that Node 24 no longer has', () => {
    expect(webhookHandler(secret, () => {})).toHaveLength(2)
  })

  test('keeps the process alive until it has answered', async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    let end = () => {}
    const working = new Promise<void>((resolve) => {
      end = resolve
    })
    const handler = webhookHandler(secret, () => working)
    const answer = handler(toEvent('http-api', await signed()))
    expect(timers()).toBe(before + 1)
    end()
    expect((await answer).statusCode).toBe(204)
    expect(timers()).toBe(before)
  })
})

test('the README names each form of event', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  for (const form of EVENT_FORMS) expect(readme).toContain(`\`${form}\``)
})

test('an answer of deliverTo has the headers of each form', async () => {
  const handler = webhookHandler(secret, () => {}, quiet)
  for (const form of EVENT_FORMS) {
    const answer = await deliverTo(handler, 'message.read', {}, { secret: 'whsec_other', form })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/json'])
  }
})
