import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { bodyScheme } from '@webhook-receiver/suites'
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { webhookHandler } from '../src/index.ts'
import { receiveRequest } from '../src/request/web-request.ts'
import { signedRequest } from '../src/testing/index.ts'
import { createWebhookHandling } from '../src/webhook-handling.ts'
import { gate, hanging } from './handling/stores.ts'

const secret = 'whsec_request_handler'

let print: MockInstance<typeof console.error>

beforeEach(() => {
  print = vi.spyOn(console, 'error').mockReturnValue()
})

const unreachable = () => expect.unreachable()

const signed = () => signedRequest('message.received', { text: 'hello' }, { secret })

const fail = () => {
  throw new Error('MARK')
}

test('a verified delivery is kept alive by its handler alone, and not by the promise of the receiver', async () => {
  const work = vi.fn()
  const { receiver, handle } = createWebhookHandling(secret, { any: work })
  const request = await signed()
  const received = await receiveRequest(receiver, request, request)
  const { delivery, verification } = received
  expect(await handle(received, { request })).toEqual({ status: 204 })
  expect(work).toHaveBeenCalledWith(delivery, expect.objectContaining({ verification }))
  expect(received).toEqual({ delivery: undefined, verification: undefined })
})

test.each([
  ['the default format, by its path', {}, ' at /webhooks'],
  ['another service, by its name', { scheme: bodyScheme }, ' at body'],
  ['what has a name, by that', { endpoint: 'orders' }, ' at orders'],
  ['tenants, by the path', { endpoint: () => 'a' }, ' at /webhooks'],
])('every line names its endpoint alike: %s', async (_, options, place) => {
  const given = 'scheme' in options ? { scheme: options.scheme } : {}
  for (const key of [secret, 'whsec_another_secret']) {
    const request = await signedRequest('push', {}, { ...given, secret: key, path: '/webhooks' })
    await webhookHandler(secret, fail, options as object)(request)
  }
  const places = print.mock.calls.map(([line]) => /(?<= \w+_\w+) at [^: ]+/.exec(line)?.[0])
  expect(places).toEqual([place, place])
})

describe('the arguments', () => {
  test('behind the Request go to the secret function and to the handler, as on Workers', async () => {
    const work = vi.fn()
    const secretOf = vi.fn((_request: Request, env: { SECRET: string }) => env.SECRET)
    const handler = webhookHandler(secretOf, work)
    const [request, env] = [await signed(), { SECRET: secret }]
    expect((await handler(request, env)).status).toBe(204)
    expect(secretOf.mock.calls).toEqual([[request, env]])
    expect(work.mock.calls[0]?.[1]).toMatchObject({ request, args: [env] })
    expect((await handler(await signed(), { SECRET: 'whsec_other' })).status).toBe(401)
  })

  test('may be an object with a Request, as in SvelteKit, Astro and Elysia', async () => {
    const work = vi.fn()
    const event = { request: await signed(), locals: { tenant: 'blue' }, headers: { a: 'b' } }
    expect((await webhookHandler(secret, work)(event)).status).toBe(204)
    const [, context] = work.mock.calls[0] ?? []
    expect(context.request).toBe(event.request)
    expect(context.args).toEqual([event])
  })

  const message = { method: 'POST', url: '/webhooks', headers: { get: 'a header' } }

  test.each([
    ['Node’s request', Object.assign(new IncomingMessage(new Socket()), message)],
    ['an event of AWS Lambda', { headers: { host: 'x' }, body: '{}' }],
    ['nothing', undefined],
  ])('without a Request are a TypeError that names the right packages: %s', (_, given) => {
    const call = () => webhookHandler(secret, unreachable)(given as never)
    expect(call).toThrow(TypeError)
    expect(call).toThrow('such as @webhook-receiver/express')
  })
})

test('a failure of the receiver itself is left to the platform', async () => {
  const handler = webhookHandler(secret, unreachable, { now: fail })
  await expect(handler(await signed())).rejects.toThrow(new Error('MARK'))
})

describe('what a handler throws', () => {
  test('stays 500 if onError throws, which is printed', async () => {
    for (const onError of [fail, async () => fail()]) {
      expect((await webhookHandler(secret, fail, { onError })(await signed())).status).toBe(500)
    }
    const line = expect.stringMatching(/ onError threw an error.* Error: MARK\n/)
    expect(print.mock.calls).toEqual([[line], [line]])
  })

  test('gets its response when onError has ended, or after callbackTimeout', async () => {
    const request = await signed()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const settled = vi.fn()
    const called = gate()
    const onError = () => {
      called.open()
      return hanging()
    }
    const handler = webhookHandler(secret, fail, { onError, callbackTimeout: 3 })
    const response = handler(request).finally(settled)
    // Until then, the only timer is the one for reading the body.
    await called.promise
    await vi.advanceTimersByTimeAsync(2999)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect((await response).status).toBe(500)
    expect(print.mock.calls).toEqual([[expect.stringContaining('onError took more than 3 s')]])
  })
})

describe('is a TypeError at start', () => {
  test('for an onError that is not a function', () => {
    const create = () => webhookHandler(secret, () => {}, { onError: false as never })
    expect(create).toThrow(TypeError)
    expect(create).toThrow('`onError` should be')
  })

  test('if it was exported without being called', async () => {
    const request = await signed()
    for (const given of [request, { request }]) {
      const call = () => webhookHandler(given as never, {})
      expect(call).toThrow(TypeError)
      expect(call).toThrow('without being called: write webhookHandler(secret, handlers), not')
    }
  })
})
