import { createServer } from 'node:http'
import {
  type AdapterSetup,
  deliverCopies,
  describeAdapter,
  listening,
  type RunningAdapter,
  type StartAdapter,
} from '@webhook-receiver/conformance'
import { signDelivery } from '@webhook-receiver/core/testing'
import {
  type DeliveryHandlerOptions,
  type DeliveryHandlers,
  deliveryHandler,
  memoryStore,
  webhookMiddleware,
} from '@webhook-receiver/express'
import express, { type RequestHandler } from 'express'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'

const secret = 'whsec_handler'

const start: StartAdapter = ({ secret, now, path, onDelivery }) =>
  serve({ any: onDelivery }, { store: memoryStore(), onRejected: false }, { secret, now, path })

describeAdapter('express, with deliveryHandler and a store', start, { store: 'only' })

test('runs the handler once for each of 1,000 ids that are sent 20 times at once', {
  timeout: 240_000,
}, async () => {
  const { runs, statuses, unacknowledged } = await deliverCopies(start)
  expect(runs.size).toBe(1000)
  expect([...runs.values()].filter((times) => times !== 1)).toEqual([])
  expect(unacknowledged).toEqual([])
  expect(Object.keys(statuses)).toEqual(['204', '503'])
})

describe('deliveryHandler', () => {
  test('answers 204 when the work is done, and to a duplicate without running it', async () => {
    const work = vi.fn()
    const send = await sender({ any: work }, { store: memoryStore() })
    const signed = await signDelivery(secret, 'message.read')
    for (const webhookId of ['one', 'two']) {
      const response = await send({ ...signed.headers, 'X-Webhook-Id': webhookId }, signed.body)
      expect(response.status).toBe(204)
      expect(await response.text()).toBe('')
    }
    expect(work).toHaveBeenCalledOnce()
  })

  test('handles two deliveries that claim one X-Webhook-Id', async () => {
    const work = vi.fn()
    const send = await sender({ any: work }, { store: memoryStore() })
    for (const event of ['message.read', 'message.sent'] as const) {
      const signed = await signDelivery(secret, event, { webhookId: 'one' })
      expect((await send(signed.headers, signed.body)).status).toBe(204)
    }
    expect(work).toHaveBeenCalledTimes(2)
  })

  test('lets a refusal travel with its status, code and Retry-After', async () => {
    const store = {
      ...memoryStore(),
      claim: async () => ({ status: 'in_progress', retryAfter: 17 }) as const,
    }
    const work = vi.fn()
    const send = await sender({ any: work }, { store, onRejected: false })
    const { headers, body } = await signDelivery(secret, 'message.read')
    const response = await send(headers, body)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('17')
    expect(await response.text()).not.toContain('in_progress')
    expect(work).not.toHaveBeenCalled()
  })

  test('answers 500 to what a handler throws, and runs it again for the next copy', async () => {
    const work = vi.fn().mockRejectedValueOnce(new Error('the database is down'))
    const send = await sender({ any: work }, { store: memoryStore() })
    const { headers, body } = await signDelivery(secret, 'message.read')
    expect((await send(headers, body)).status).toBe(500)
    expect((await send(headers, body)).status).toBe(204)
    expect(work).toHaveBeenCalledTimes(2)
  })

  test('is a TypeError at start for a misspelt event', () => {
    const make = () => Reflect.apply(deliveryHandler, undefined, [{ 'message.recieved': () => {} }])
    expect(make).toThrow(TypeError)
    expect(make).toThrow('which is no event')
  })

  test('runs nothing where no middleware stands in front, and says which route', async () => {
    const work = vi.fn()
    const print = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => print.mockRestore())
    const app = express()
    app.post('/webhooks', deliveryHandler({ any: work }) as RequestHandler)
    const adapter = await listening(createServer(app))
    open.push(adapter)
    const response = await fetch(`http://127.0.0.1:${adapter.port}/webhooks`, { method: 'POST' })
    expect(response.status).toBe(500)
    expect(print).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/ 500 delivery_missing: .* attached to POST "\/webhooks": no receiver/),
    )
    expect(work).not.toHaveBeenCalled()
  })
})

const open: RunningAdapter[] = []
afterEach(() => Promise.all(open.splice(0).map((adapter) => adapter.close())))

type Send = (
  headers: Readonly<Record<string, string>>,
  body: Uint8Array<ArrayBuffer>,
) => Promise<Response>

async function sender(handlers: DeliveryHandlers, options: DeliveryHandlerOptions): Promise<Send> {
  const adapter = await serve(handlers, options)
  open.push(adapter)
  return (headers, body) =>
    fetch(`http://127.0.0.1:${adapter.port}/webhooks`, { method: 'POST', headers, body })
}

async function serve(
  handlers: DeliveryHandlers,
  options: DeliveryHandlerOptions,
  { secret: key, now, path }: Pick<AdapterSetup, 'secret' | 'now' | 'path'> = {
    secret,
    now: Date.now,
    path: '/webhooks',
  },
): Promise<RunningAdapter> {
  const app = express().set('env', 'test')
  app.post(
    path,
    webhookMiddleware(key, { now, onRejected: false }),
    deliveryHandler(handlers, options),
  )
  return listening(createServer(app))
}
