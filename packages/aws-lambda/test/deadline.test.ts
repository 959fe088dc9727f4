import { webhookHandler } from '@webhook-receiver/aws-lambda'
import { describe, expect, test, vi } from 'vitest'
import { signedEvent } from './serving.ts'

const secret = 'whsec_deadline'

// With a store too: core's run/lease.test.ts.
describe('a handler that hangs gets status 503', () => {
  test.each([
    ['half a second before the time of the function is up', 600, { timeout: 20 }, '0.1 s'],
    ['by another margin before that', 300, { deadlineMargin: 0.2 }, '0.1 s'],
    ['by the option timeout, where that is earlier', 60_000, { timeout: 0.05 }, '0.05 s'],
    ['at once, where no time is left', 100, {}, '0 s'],
  ])('%s', async (_what, left, options, seconds) => {
    const onRejected = vi.fn()
    const work = vi.fn(() => new Promise(() => {}))
    const handler = webhookHandler(secret, work, { ...options, onRejected })
    const context = { getRemainingTimeInMillis: () => left }
    expect((await handler(await signedEvent(secret), context)).statusCode).toBe(503)
    expect(work).toHaveBeenCalledOnce()
    const detail = expect.stringContaining(`The handler still runs after ${seconds}:`)
    expect(onRejected.mock.calls).toMatchObject([[{ reason: 'handler_timeout', detail }]])
  })
})

test.each([undefined, {}])('with the context %j there is no deadline', async (context) => {
  const work = vi.fn()
  const handler = webhookHandler(secret, work)
  expect((await handler(await signedEvent(secret), context)).statusCode).toBe(204)
  expect(work).toHaveBeenCalledOnce()
})

test.each([-1, '1'])('a margin of %j is a TypeError', (deadlineMargin) => {
  const create = () =>
    Reflect.apply(webhookHandler, undefined, [secret, { any() {} }, { deadlineMargin }])
  expect(create).toThrow('`deadlineMargin` should be a number of seconds from 0')
})
