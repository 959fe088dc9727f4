import { beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { requireAttached } from '../../src/adapter.ts'
import type { Route } from '../../src/request/attached.ts'
import { expectRejection } from '../deliveries.ts'

let printed: MockInstance<typeof console.error>

let hours = 0
beforeEach(() => {
  // A minute that no other test has used.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ++hours * 3_600_000 })
  printed = vi.spyOn(console, 'error').mockReturnValue()
})

const missing = (route?: Route) =>
  expectRejection(() => requireAttached(undefined, route), 500, 'delivery_missing')

test('throws 500 delivery_missing where there is none, and logs which route', async () => {
  const { detail } = await missing({ method: 'POST', url: '/hooks/a?token=secret#x' })
  expect(detail).toMatch(
    /^There is no delivery for POST "\/hooks\/a"\. Mount webhookMiddleware before it, or/,
  )
  expect(printed).toHaveBeenCalledExactlyOnceWith(
    `[webhook-receiver] 500 delivery_missing: ${detail} https://webhook-receiver.github.io/webhook-receiver/errors#delivery_missing`,
  )
})

test('is logged once a minute', async () => {
  for (let times = 0; times < 300; times++) await missing({ method: 'POST', url: `/${times}` })
  expect(printed).toHaveBeenCalledOnce()
  vi.setSystemTime(Date.now() + 60_000)
  await missing()
  expect(printed.mock.lastCall?.[0]).toMatch(/delivery for this request[.] .*299 more since/)
})

test('a path cannot write what it likes into the log', async () => {
  const url = `/\u001b[2J\u009b1m\n\u2028\u202e"\\${'x'.repeat(9000)}`
  const { detail } = await missing({ method: 'POST'.repeat(200), url })
  expect(detail.length).toBeLessThan(500)
  expect(detail).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
})
