import { describeAdapter } from '@webhook-receiver/conformance'
import { type Rejection, WebhookError } from '@webhook-receiver/core'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { describeHandler } from '../handler/suite.ts'
import type { ThrownValue } from '../handler/thrown-values.ts'
import { describeOptions } from '../options.ts'
import type { StartReceiver } from '../posting.ts'
import { describeRejections } from '../rejections.ts'
import { expectBrokenOff } from '../schemes/responses.ts'
import { bodyScheme } from '../schemes/schemes.ts'
import { describeSchemes } from '../schemes/suite.ts'
import { type Attached, type Forms, type Mounted, PATH } from './mount.ts'

interface FormSuiteOptions {
  /** Values to throw besides those that handlers of every framework may throw. */
  readonly values?: readonly ThrownValue[]
  /**
   * Whether other methods than POST reach a `webhookHandler`.
   * @default true
   */
  readonly methods?: boolean
  /**
   * Whether the response to a rejection replaces headers of another body.
   * @default true
   */
  readonly replacesBodies?: boolean
  /** What the adapter calls to write a response, if it does not return one. */
  readonly writes?: Parameters<typeof expectBrokenOff>[0]
}

const SECRET = 'whsec_forms'
const QUIET = { onRejected: false }

/**
 * Tests `webhookMiddleware` and `webhookHandler` of an adapter in applications of its framework, on real sockets: the vectors, other
 * schemes, what both reject, what is behind the middleware, what handlers get, and which errors go where. Call it at the top level of a test file.
 */
export function describeForms(
  name: string,
  forms: Forms,
  { values, methods, replacesBodies, writes }: FormSuiteOptions = {},
): void {
  const middleware = (options: object = QUIET, secret: unknown = SECRET): unknown =>
    Reflect.apply(forms.webhookMiddleware, undefined, [secret, options])
  const handler = (work: unknown = () => {}, options: object = QUIET, secret: unknown = SECRET) =>
    Reflect.apply(forms.webhookHandler, undefined, [
      secret,
      work,
      { ...forms.handlerOptions, ...options },
    ]) as unknown

  const mount = async (receivers: readonly unknown[], mounted: Partial<Mounted> = {}) =>
    forms.mount({
      isHandler: false,
      headers: {},
      behind: async () => {},
      onError: undefined,
      proxy: undefined,
      ...mounted,
      receivers: receivers as readonly never[],
    })

  describe(`${name}, what every adapter does`, () => {
    // Some frameworks print what is thrown on purpose.
    beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

    describeAdapter(name, ({ secret, now, onDelivery }) =>
      mount([middleware({ now, ...QUIET }, secret)], {
        behind: async ({ delivery }) => void (await onDelivery(delivery)),
      }),
    )
    const startHandler: StartReceiver = ({ secret, now, work, options }) =>
      mount([handler({ any: work }, { now, ...QUIET, ...options }, secret)], { isHandler: true })
    const startMiddleware: StartReceiver = ({ secret, now, work, options }) =>
      mount([middleware({ now, ...QUIET, ...options }, secret)], {
        behind: async (attached) => void work(Object(attached.delivery), Object(attached)),
      })
    for (const describeEach of [describeSchemes, describeOptions]) {
      describeEach(name, 'handler', startHandler)
      describeEach(name, 'middleware', startMiddleware)
    }
  })

  describeHandler(
    name,
    async ({ secret, now, handlers, options }) =>
      mount([handler(handlers, { now, ...QUIET, ...options }, secret)], { isHandler: true }),
    { values },
  )
  describeRejections(
    `${name}, webhookMiddleware`,
    ({ secret, headers, options }) => mount([middleware(options, secret)], { headers }),
    { replacesBodies },
  )
  describeRejections(
    `${name}, webhookHandler`,
    ({ secret, headers, options }) =>
      mount([handler(undefined, options, secret)], { headers, isHandler: true }),
    { methods, replacesBodies, accepts: true },
  )

  describe(`${name}, both forms`, () => {
    /** Starts an application, and returns what sends to it: a delivery, or what is given instead of its parts. */
    async function start(receivers: readonly unknown[], mounted: Partial<Mounted> = {}) {
      const adapter = await mount(receivers, mounted)
      onTestFinished(() => adapter.close())
      return async (init: RequestInit = {}, secret = SECRET, target = PATH) => {
        const delivery = sampleDelivery('message.received')
        const { headers, body } = await signDelivery(secret, delivery)
        const sent = { method: 'POST', body, ...init, headers: { ...headers, ...init.headers } }
        const response = await fetch(`http://127.0.0.1:${adapter.port}${target}`, sent)
        return { delivery, response, status: response.status }
      }
    }

    /** Collects what reaches the error handler of the framework. */
    function collecting() {
      const errors: unknown[] = []
      return { errors, onError: (error: unknown) => void errors.push(error) }
    }

    test('what is behind the middleware has the delivery, and how it was verified', async () => {
      const seen: unknown[] = []
      const behind = async ({ delivery, verification, required, body = delivery }: Attached) => {
        seen.push(delivery, Object(verification).secretName)
        seen.push(required() === delivery, body === delivery)
      }
      const secrets = { old: 'whsec_x', current: SECRET }
      const send = await start([middleware(QUIET, secrets)], { behind })
      const { delivery, status } = await send()
      expect([status, ...seen]).toEqual([204, { ...delivery, known: true }, 'current', true, true])
    })

    test('a middleware, another and a handler in a row verify the same bytes', async () => {
      const work = vi.fn()
      const receivers = [middleware(), middleware(), handler(work)]
      const send = await start(receivers, { isHandler: true })
      expect([(await send()).status, (await send({ body: '{}' })).status]).toEqual([204, 401])
      expect(work).toHaveBeenCalledOnce()
    })

    test('what is thrown behind the middleware goes to the error handler unchanged', async () => {
      const error = Object.assign(new Error('the database is down'), { status: 404 })
      const { errors, onError } = collecting()
      const send = await start([middleware()], { behind: () => Promise.reject(error), onError })
      expect((await send()).status).toBe(418)
      expect(errors).toEqual([error])
      expect(errors[0]).toBe(error)
    })

    describe.each([
      ['webhookMiddleware', middleware],
      ['webhookHandler', (options: object, secret?: string) => handler(() => {}, options, secret)],
    ])('%s', (form, create) => {
      const isHandler = form === 'webhookHandler'

      test('with `forwardErrors`, brings rejections to the error handler', async () => {
        const { errors, onError } = collecting()
        const receiver = create({ ...QUIET, forwardErrors: true })
        const send = await start([receiver], { isHandler, onError })
        expect((await send({ body: '{}' })).status).toBe(418)
        expect(errors.splice(0)).toMatchObject([{ reason: 'signature_mismatch', status: 401 }])
        if (isHandler && methods === false) return
        expect((await send({ method: 'PUT' })).status).toBe(418)
        const headers = { Allow: 'POST' }
        expect(errors).toMatchObject([{ reason: 'method_not_allowed', status: 405, headers }])
      })

      test('with `forwardErrors` and no error handler, every forged request gets the same response of the framework', async () => {
        const send = await start([create({ ...QUIET, forwardErrors: true })], { isHandler })
        const forged = [{ body: '{}' }, { headers: { 'X-Webhook-Signature': '' } }, {}]
        const texts = forged.map(async (init) => {
          const { response } = await send(init, 'whsec_other')
          expect(response.status).toBe(401)
          return response.text()
        })
        const [text = '', ...others] = await Promise.all(texts)
        expect(others).toEqual([text, text])
        // Nor does a stack tell which check failed.
        expect(text).not.toMatch(/signature|timestamp|node_modules|\.ts/)
        expect((await send()).status).toBe(204)
        if (isHandler && methods === false) return
        const { response } = await send({ method: 'PUT' })
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
      })

      // Frameworks take the others for no error, for another route, or for a response.
      test.each([
        [new SyntaxError('mistake'), 'mistake'],
        [undefined, 'A function of the receiver failed.'],
        ['route', 'A function of the receiver failed.'],
        [Object.assign(new Error(), { status: 200 }), 'A function of the receiver failed.'],
        [
          Object.assign(new Error(), { getResponse: () => new Response() }),
          'A function of the receiver failed.',
        ],
      ])('brings a mistake of a scheme to the error handler: %o', async (thrown, message) => {
        const { errors, onError } = collecting()
        const behind = vi.fn()
        const readHead = () => {
          throw thrown
        }
        const receiver = create({ ...QUIET, scheme: { ...bodyScheme, readHead } })
        const send = await start([receiver], { isHandler, behind, onError })
        expect((await send()).status).toBe(418)
        expect(errors).toEqual([expect.objectContaining({ message })])
        expect(behind).not.toHaveBeenCalled()
      })

      test('with `forwardErrors`, responds by itself to a body over the limit, of which it reads no more', async () => {
        const { errors, onError } = collecting()
        const behind = vi.fn()
        const receiver = create({ ...QUIET, forwardErrors: true, limit: 10 })
        const send = await start([receiver], { isHandler, behind, onError })
        const { response } = await send({ body: Buffer.alloc(2_000_000) })
        expect([response.status, response.headers.get('connection')]).toEqual([413, 'close'])
        expect(await response.json()).toMatchObject({ code: 'body_too_large' })
        expect([errors, behind.mock.calls]).toEqual([[], []])
      })

      if (writes) {
        test('breaks off a response that cannot be written, and no other', async () => {
          const send = await start([create(QUIET)], { isHandler })
          const rejected = () => send({ body: '{}' })
          await expectBrokenOff(writes, rejected)
          expect((await rejected()).status).toBe(401)
        })
      }

      test('gives the request to a secret function', async () => {
        const source = (request: unknown) => `whsec_${tenantOf(request)}`
        const receiver = Reflect.apply(create, undefined, [QUIET, source])
        const send = await start([receiver], { isHandler })
        const statuses = ['acme', 'other'].map(async (tenant) => {
          const { status } = await send({ headers: { 'X-Tenant': tenant } }, 'whsec_acme')
          return status
        })
        expect(await Promise.all(statuses)).toEqual([204, 401])
      })

      test.each(forms.proxies ?? [[undefined, undefined]])(
        'tells `onRejected` who has sent a request, and where; with the setting for proxies %j',
        async (proxy, address = forms.proxies && expect.stringMatching(/127\.0\.0\.1$/)) => {
          const rejections: unknown[] = []
          const onRejected = ({ reason, remote }: Rejection) =>
            void rejections.push([reason, remote])
          const send = await start([create({ onRejected })], { isHandler, proxy })
          const headers = {
            'User-Agent': 'forger/1',
            'X-Forwarded-For': '203.0.113.9, 198.51.100.7',
          }
          await send({ headers }, 'whsec_other', `${PATH}?x=1`)
          const remote = { url: `${PATH}?x=1`, userAgent: 'forger/1', address }
          expect(rejections).toEqual([['signature_mismatch', remote]])
        },
      )

      test('a wrong option of the adapter itself is a TypeError at start', async () => {
        const starting = (async () => mount([create({ forwardErrors: 1 })]))()
        await expect(starting).rejects.toThrow(TypeError)
        await expect(starting).rejects.toThrow(/`forwardErrors` should be/)
      })
    })

    test('with `forwardErrors`, brings what a handler throws as the cause of a WebhookError', async () => {
      const cause = new Error('the database is down')
      const reported = vi.fn()
      const { errors, onError } = collecting()
      const fail = vi.fn((..._given: unknown[]) => Promise.reject(cause))
      const receiver = handler(fail, { onError: reported, forwardErrors: true })
      const send = await start([receiver], { isHandler: true, onError })
      expect((await send()).status).toBe(418)
      const [[delivery, context] = []] = fail.mock.calls
      const { request } = Object(context)
      expect(reported.mock.calls).toEqual([[cause, { delivery, request }]])
      expect(errors).toMatchObject([{ reason: 'handler_failed', status: 500, cause }])
      expect(errors[0]).toBeInstanceOf(WebhookError)
    })

    test('to require a delivery where no receiver is mounted is an error of the receiver', async () => {
      vi.spyOn(console, 'error').mockReturnValue()
      const { errors, onError } = collecting()
      const behind = async ({ required }: Attached) => void required()
      const { status } = await (await start([], { behind, onError }))()
      expect([status, errors.length]).toEqual([418, 1])
      // Of the route, also below a mount that cuts off a part of the URL.
      const detail = expect.stringContaining(`POST "${PATH}"`)
      expect(errors).toMatchObject([{ reason: 'delivery_missing', status: 500, detail }])
    })

    test.each([
      ['webhookMiddleware(secret)', forms.webhookMiddleware],
      ['webhookHandler(secret, handlers', forms.webhookHandler],
    ])('says what to write where it was mounted without being called: %s', async (call, form) => {
      const { errors, onError } = collecting()
      const behind = vi.fn()
      const starting = start([form], { onError, behind, isHandler: true }).then((send) => send())
      await starting.catch(onError)
      expect(errors).toEqual([expect.any(TypeError)])
      expect(String(errors[0])).toMatch(/(mounted|registered) without being called: write /)
      expect(String(errors[0])).toContain(call)
      expect(behind).not.toHaveBeenCalled()
    })
  })
}

/** A header of the request: frameworks have it in two places. */
function tenantOf(request: unknown): unknown {
  const { headers, req } = Object(request)
  return headers?.['x-tenant'] ?? req.header('x-tenant')
}
