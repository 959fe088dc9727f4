import { randomUUID } from 'node:crypto'
import { describeAdapter } from '@webhook-receiver/conformance'
import type {
  HandlerSetup,
  RunOptions,
  StartAdapter,
  StartHandler,
} from '@webhook-receiver/conformance/internal'
import {
  memoryStore,
  type WebhookContext,
  type WebhookHandlerOptions,
} from '@webhook-receiver/core'
import { signDelivery } from '@webhook-receiver/core/testing'
import { beforeEach, describe, expect, type MockInstance, onTestFinished, test, vi } from 'vitest'
import { type ThrownValue, thrownValues } from './thrown-values.ts'

interface HandlerSuiteOptions extends Pick<RunOptions, 'deviations'> {
  /**
   * Values to throw besides those that handlers of every framework may throw.
   * @default []
   */
  readonly values?: readonly ThrownValue[] | undefined
}

/**
 * Tests the `webhookHandler` of an adapter: vectors of each kind and those that need a store, what a
 * handler is given, and a handler that throws. Call it at the top level of a test file.
 *
 * @example
 * describeHandler('my adapter', ({ secret, now, path, handlers, options }) =>
 *   listening(
 *     createServer(webhookHandler(secret, handlers, { now, path, onRejected: false, ...options })),
 *   ),
 * )
 */
export function describeHandler(
  name: string,
  start: StartHandler,
  { values = [], deviations = {} }: HandlerSuiteOptions = {},
): void {
  const startWithStore: StartAdapter = ({ onDelivery, ...setup }) =>
    start({ ...setup, handlers: { any: onDelivery }, options: { store: memoryStore() } })

  describe(`${name}, webhookHandler`, () => {
    // Handlers that fail on purpose are printed.
    let print: MockInstance<typeof console.error>
    beforeEach(() => {
      print = vi.spyOn(console, 'error').mockReturnValue()
    })

    async function deliverTo(
      work: NonNullable<HandlerSetup['handlers']['any']>,
      options: WebhookHandlerOptions = {},
    ): Promise<Response> {
      const adapter = await start({ ...SETUP, handlers: { any: work }, options })
      onTestFinished(() => adapter.close())
      const { headers, body } = await signDelivery(SETUP.secret, 'message.read')
      const url = `http://127.0.0.1:${adapter.port}${SETUP.path}`
      return fetch(url, { method: 'POST', headers, body })
    }

    describeAdapter(`${name}, webhookHandler with a store`, startWithStore, {
      sample: true,
      store: true,
      deviations,
    })

    test('gives the handler the request, and responds with 204 when it has finished', async () => {
      let given: WebhookContext<unknown> | undefined
      const response = await deliverTo((_delivery, context) => {
        given = context
      })
      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(given).toMatchObject({
        request: expect.anything(),
        signal: expect.any(AbortSignal),
        transaction: undefined,
        verification: expect.objectContaining({ rawBody: expect.any(Uint8Array) }),
      })
    })

    test.each([...thrownValues, ...values])(
      '$name, thrown by a handler: 500, and only `onError` gets it',
      async ({ make }) => {
        const mark = `original-${randomUUID()}`
        const thrown = make(mark)
        const onError = vi.fn()
        let given: readonly unknown[] = []
        const failing = await deliverTo(
          (...args) => {
            given = args
            throw thrown
          },
          { onError },
        )
        await expectFailure(failing, mark)
        const [delivery, { request }] = given.map(Object)
        expect(onError.mock.calls).toEqual([[thrown, { delivery, request }]])
        expect(onError.mock.calls[0]?.[0]).toBe(thrown)
        expect(onError.mock.calls[0]?.[1].request).toBe(request)
        expect(print).not.toHaveBeenCalled()
      },
    )

    test('prints what a handler rejects with, once, with the path and the delivery', async () => {
      const mark = `original-${randomUUID()}`
      const error = new Error(mark)
      let id = ''
      const failing = await deliverTo((delivery) => {
        ;({ id } = delivery)
        return Promise.reject(error)
      })
      await expectFailure(failing, mark)
      expect(print).toHaveBeenCalledOnce()
      const printed = String(print.mock.lastCall)
      const frame = error.stack?.match(/at .+$/m)?.[0]
      for (const part of [SETUP.path, 'message.read', id, mark, frame]) {
        expect(printed).toContain(part)
      }
    })
  })
}

/** Neither the body nor a header has anything of what was thrown. */
async function expectFailure(response: Response, mark: string): Promise<void> {
  const body = '{"code":"receiver_error","message":"receiver error"}'
  expect([response.status, await response.text()]).toEqual([500, body])
  expect(JSON.stringify([...response.headers])).not.toContain(mark)
  // Errors may be printed after the response.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}

const SETUP = { secret: 'whsec_handler', now: Date.now, path: '/webhooks' } as const
