import {
  type DeliveryHandlerOptions,
  type DeliveryHandlers,
  type DeliveryStore,
  memoryStore,
} from '@webhook-receiver/core/handling'
import { signDelivery } from '@webhook-receiver/core/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AdapterSetup, RunningAdapter, StartAdapter } from './adapter.ts'
import { describeAdapter } from './adapter-suite.ts'
import { deliverCopies } from './copies.ts'

/** What an adapter gets to start a receiver whose handler is `deliveryHandler(handlers, options)`. */
export interface HandlerSetup extends Pick<AdapterSetup, 'secret' | 'now' | 'path'> {
  readonly handlers: DeliveryHandlers
  readonly options: DeliveryHandlerOptions
}

export type StartHandler = (setup: HandlerSetup) => RunningAdapter | Promise<RunningAdapter>

export interface HandlerSuiteOptions {
  /**
   * Starts an application that has `deliveryHandler` on `path` and no receiver in front of it.
   * @default that mistake is not tested
   */
  readonly startWithoutReceiver?: StartHandler | undefined
  /**
   * How many deliveries are each sent 20 times at once.
   * @default 1000
   */
  readonly ids?: number | undefined
}

/**
 * Tests the `deliveryHandler` of an adapter: the vectors that need a store, many copies of a delivery at once, duplicates,
 * failures and mistakes of set-up. Call it at the top level of a test file.
 *
 * @example
 * describeHandler('my receiver', ({ secret, now, path, handlers, options }) =>
 *   listening(createServer(webhookListener(secret, deliveryHandler(handlers, options), { now, path }))),
 * )
 */
export function describeHandler(
  name: string,
  start: StartHandler,
  { startWithoutReceiver, ids = 1000 }: HandlerSuiteOptions = {},
): void {
  const startWithStore: StartAdapter = ({ onDelivery, ...setup }) =>
    start({
      ...setup,
      handlers: { any: onDelivery },
      options: { store: memoryStore(), onRejected: false },
    })

  describe(`${name}, with deliveryHandler`, () => {
    // Handlers that fail on purpose are printed.
    const print = vi.spyOn(console, 'error')
    beforeAll(() => void print.mockReturnValue())
    beforeEach(() => void print.mockClear())
    afterAll(() => print.mockRestore())

    describeAdapter(`${name}, with deliveryHandler and a store`, startWithStore, { store: 'only' })

    test(`runs the handler once for each of ${ids} ids that are sent 20 times at once`, {
      timeout: 240_000,
    }, async () => {
      const { runs, statuses, unacknowledged } = await deliverCopies(startWithStore, { ids })
      expect(runs.size).toBe(ids)
      expect([...runs.values()].filter((times) => times !== 1)).toEqual([])
      expect(unacknowledged).toEqual([])
      expect(Object.keys(statuses)).toEqual(['204', '503'])
    })

    test('answers 204 when the work is done, and to a duplicate without running it', async () => {
      const work = vi.fn()
      const send = await sender(start, work, { store: memoryStore() })
      const signed = await signDelivery(SECRET, 'message.read')
      for (const webhookId of ['one', 'two']) {
        const response = await send({ ...signed.headers, 'X-Webhook-Id': webhookId }, signed.body)
        expect(response.status).toBe(204)
        expect(await response.text()).toBe('')
      }
      expect(work).toHaveBeenCalledOnce()
    })

    test('handles two deliveries that have one X-Webhook-Id', async () => {
      const work = vi.fn()
      const send = await sender(start, work, { store: memoryStore() })
      for (const event of ['message.read', 'message.sent'] as const) {
        const signed = await signDelivery(SECRET, event, { webhookId: 'one' })
        expect((await send(signed.headers, signed.body)).status).toBe(204)
      }
      expect(work).toHaveBeenCalledTimes(2)
    })

    test('answers 503 with Retry-After while a copy is handled, and prints nothing', async () => {
      const work = vi.fn()
      const claim: DeliveryStore['claim'] = async () => ({ status: 'in_progress', retryAfter: 17 })
      const send = await sender(start, work, {
        store: { ...memoryStore(), claim },
        onRejected: false,
      })
      const { headers, body } = await signDelivery(SECRET, 'message.read')
      const response = await send(headers, body)
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('17')
      expect(await response.text()).not.toContain('in_progress')
      expect(work).not.toHaveBeenCalled()
      expect(print).not.toHaveBeenCalled()
    })

    test('answers 500 to what a handler throws, and runs it again for the next copy', async () => {
      const work = vi.fn().mockRejectedValueOnce(new Error('the database is down'))
      const send = await sender(start, work, { store: memoryStore() })
      const { headers, body } = await signDelivery(SECRET, 'message.read')
      expect((await send(headers, body)).status).toBe(500)
      expect((await send(headers, body)).status).toBe(204)
      expect(work).toHaveBeenCalledTimes(2)
    })

    test('is a TypeError at start for an event that does not exist', async () => {
      const misspelled = { 'message.recieved': () => {} }
      const handlers = { any: () => {}, ...misspelled }
      const error = await Promise.resolve({ ...SETUP, handlers, options: {} })
        .then(start)
        .catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TypeError)
      expect(error).toMatchObject({ message: expect.stringContaining('which is not an event') })
    })

    if (startWithoutReceiver) {
      test('runs nothing without a receiver in front, and prints which route that is', async () => {
        const work = vi.fn()
        const send = await sender(startWithoutReceiver, work, {})
        expect((await send({}, new Uint8Array())).status).toBe(500)
        expect(print).toHaveBeenCalledExactlyOnceWith(
          expect.stringMatching(
            / 500 delivery_missing: .*no delivery for POST "\/webhooks"\. [A-Z]/,
          ),
        )
        expect(work).not.toHaveBeenCalled()
      })
    }

    const running: RunningAdapter[] = []
    afterEach(() => Promise.all(running.splice(0).map((adapter) => adapter.close())))

    async function sender(
      startHandler: StartHandler,
      work: (delivery: unknown) => unknown,
      options: DeliveryHandlerOptions,
    ): Promise<Send> {
      const adapter = await startHandler({ ...SETUP, handlers: { any: work }, options })
      running.push(adapter)
      const url = `http://127.0.0.1:${adapter.port}${SETUP.path}`
      return (headers, body) => fetch(url, { method: 'POST', headers, body })
    }
  })
}

type Send = (
  headers: Readonly<Record<string, string>>,
  body: Uint8Array<ArrayBuffer>,
) => Promise<Response>

const SECRET = 'whsec_handler'
const SETUP = { secret: SECRET, now: Date.now, path: '/webhooks' } as const
