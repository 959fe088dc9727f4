import { STATUS_CODES } from 'node:http'
import { PassThrough } from 'node:stream'
import { type LambdaEvent, webhookHandler } from '@webhook-receiver/aws-lambda'
import { CODES } from '@webhook-receiver/core/internal'
import { describe, expect, test, vi } from 'vitest'
import { toResult } from '../src/result.ts'
import { EVENT_FORMS, type EventForm } from '../src/to-event.ts'
import { signedEvent } from './serving.ts'

const secret = 'whsec_lambda'
const quiet = { onRejected: false } as const

const statusOf = async (event: unknown, options = {}) => {
  const handler = webhookHandler(secret, () => {}, { ...quiet, ...options })
  return (await handler(event as LambdaEvent)).statusCode
}

describe.each(EVENT_FORMS)('an event of the form %s', (form) => {
  test('has the bytes of UTF-8, and those that are none as base64 only', async () => {
    const reasonOf = async (of: Uint8Array<ArrayBuffer>, base64: boolean) => {
      const onRejected = vi.fn()
      await statusOf(await signedEvent(secret, { of, form, base64 }), { onRejected })
      return onRejected.mock.calls[0]?.[0].reason
    }
    // The vectors with such a text that is accepted are played with base64 only.
    expect(await reasonOf(Buffer.from('"é"'), false)).toBe('envelope_invalid')
    expect(await reasonOf(Uint8Array.of(0x22, 0xff, 0x22), true)).toBe('body_not_utf8')
    expect(await reasonOf(Uint8Array.of(0x22, 0xff, 0x22), false)).toBe('signature_mismatch')
  })

  test('tells a hook the path, and the sender where the event names it', async () => {
    const onRejected = vi.fn()
    const headers = [['User-Agent', 'sender/1']] as const
    const event = await signedEvent(secret, { form, headers, path: '/webhooks?a=1&b=YQ==' })
    await webhookHandler('whsec_other', () => {}, { onRejected })(event)
    const address = form.startsWith('alb') ? undefined : '192.0.2.1'
    expect(onRejected.mock.calls[0]?.[0].remote).toEqual({
      url: `/webhooks?a=1&b=${form === 'rest-api' ? 'YQ%3D%3D' : 'YQ=='}`,
      address,
      userAgent: 'sender/1',
    })
  })
})

describe('an event that was written by hand', () => {
  test('may have a list of headers that is empty', async () => {
    const event = await signedEvent(secret, { form: 'rest-api' })
    expect(await statusOf({ ...event, multiValueHeaders: {} })).toBe(204)
    expect(await statusOf({ ...event, multiValueHeaders: { other: ['x'] } })).toBe(401)
  })

  test('may have a number in the place of a timestamp', async () => {
    const event = await signedEvent(secret)
    const stamp = Number(event.headers?.['x-webhook-timestamp'])
    const headers = { ...event.headers, 'x-webhook-timestamp': stamp }
    expect(await statusOf({ ...event, headers })).toBe(204)
  })

  test('is rejected for a header that is an object', async () => {
    const event = await signedEvent(secret)
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
  const expectRead = async (event: object, detail: RegExp) => {
    const onRejected = vi.fn()
    expect(await statusOf(event, { onRejected })).toBe(500)
    const rejection = { reason: 'body_already_read', detail: expect.stringMatching(detail) }
    expect(onRejected.mock.calls).toMatchObject([[rejection]])
  }

  test.each(['e30', 'e3 0=', 'e30-'])('%j is no base64', async (body) => {
    const event = { ...(await signedEvent(secret)), body, isBase64Encoded: true }
    await expectRead(event, /the event says base64, and it is not/)
  })

  test('an object in place of it names a middleware and the integration', async () => {
    const event = { ...(await signedEvent(secret, { form: 'rest-api' })), body: { id: 1 } }
    await expectRead(event, /http-json-body-parser of Middy, or use proxy integration/)
  })
})

describe('an event that is not an HTTP request', () => {
  test.each([
    [{ Records: [{ eventSource: 'aws:sqs', body: '{}' }] }, 'it comes from aws:sqs'],
    [{ eventSource: 'aws:kafka', records: {} }, 'it comes from aws:kafka'],
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
    [{ routeArn: 'arn:aws:x', requestContext: { http: { method: 'POST' } } }, 'authorizer'],
  ])('fails the invocation: %j', async (event, why) => {
    const work = vi.fn()
    const invoked = webhookHandler(secret, work)(event as never)
    await expect(invoked).rejects.toThrow(TypeError)
    await expect(invoked).rejects.toThrow(why)
    expect(work).not.toHaveBeenCalled()
  })
})

test('a stream instead of a context fails the invocation before the delivery is handled', async () => {
  const work = vi.fn()
  const stream = new PassThrough()
  const invoked = webhookHandler(secret, work)(await signedEvent(secret), stream as never)
  await expect(invoked).rejects.toThrow('streamifyResponse')
  expect(work).not.toHaveBeenCalled()
})

describe('a response', () => {
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

  test.each(EVENT_FORMS)('has the form that %s takes', async (form) => {
    const handler = webhookHandler('whsec_other', () => {}, quiet)
    const { body: text, ...result } = await handler(await signedEvent(secret, { form }))
    expect(result).toEqual({ ...forms[form], statusCode: 401, isBase64Encoded: false })
    expect(text).toBe('{"code":"not_authenticated","message":"not authenticated"}')
  })

  test('describes every status as node:http does', () => {
    for (const status of [200, 202, 204, ...Object.keys(CODES).map(Number)]) {
      const { statusDescription } = toResult({ requestContext: { elb: {} } }, { status })
      expect(statusDescription).toBe(`${status} ${STATUS_CODES[status]}`)
    }
    expect(toResult({ requestContext: { elb: {} } }, { status: 299 }).statusDescription).toBe('299')
  })
})

describe('a function', () => {
  test('gives its handler the event, the context and the verification', async () => {
    const work = vi.fn()
    const request = await signedEvent(secret)
    const context = { getRemainingTimeInMillis: () => 3000 }
    await webhookHandler({ current: secret }, work)(request, context)
    const given = { request, args: [context], verification: { secretName: 'current' } }
    expect(work.mock.calls).toMatchObject([[{ event: 'message.received' }, given]])
  })

  test('is a TypeError where it was not called', async () => {
    const event = await signedEvent(secret)
    expect(() => Reflect.apply(webhookHandler, undefined, [event, {}])).toThrow(
      'webhookHandler was exported without being called',
    )
  })

  test('takes two parameters: a third is the callback that Node 24 no longer has', () => {
    expect(webhookHandler(secret, () => {})).toHaveLength(2)
  })

  test('keeps the process alive until it has responded', async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    let end = () => {}
    const working = new Promise<void>((resolve) => {
      end = resolve
    })
    const handler = webhookHandler(secret, () => working)
    const response = handler(await signedEvent(secret))
    expect(timers()).toBe(before + 1)
    end()
    expect((await response).statusCode).toBe(204)
    expect(timers()).toBe(before)
  })
})
