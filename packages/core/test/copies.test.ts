import { expect, test, vi } from 'vitest'
import * as here from '../src/adapter.ts'
import * as one from '../src/index.ts'
import { received } from './deliveries.ts'

vi.resetModules()
const other = await import('../src/index.ts')
const adapter = await import('../src/adapter.ts')

const error = () => new one.WebhookError('signature_mismatch', 'DETAIL')

test('an error of another copy of core is a WebhookError', () => {
  expect(other.WebhookError).not.toBe(one.WebhookError)
  expect(error() instanceof other.WebhookError).toBe(true)
  expect(error() instanceof one.WebhookError).toBe(true)
  expect(error() instanceof Error).toBe(true)
})

test('a subclass is not WebhookError itself, in both copies', () => {
  class Narrow extends one.WebhookError {}
  class Elsewhere extends other.WebhookError {}
  const narrow = new Narrow('signature_mismatch', '')
  expect(narrow instanceof Narrow).toBe(true)
  expect(narrow instanceof one.WebhookError).toBe(true)
  expect(narrow instanceof other.WebhookError).toBe(true)
  expect(narrow instanceof Elsewhere).toBe(false)
  expect(error() instanceof Narrow).toBe(false)
  expect(error() instanceof Elsewhere).toBe(false)
})

const throwing = () => {
  throw new Error('hostile')
}

test.each([
  ['a string', 'WebhookError'],
  ['an object with its fields', { name: 'WebhookError', status: 401, reason: 'body_too_deep' }],
  ['a proxy that throws', new Proxy({}, { get: throwing, getPrototypeOf: throwing })],
  ['a getter that throws', Object.create(null, markOf({ get: throwing }))],
  ['a mark that is not true', Object.create(null, markOf({ value: 'true' }))],
])('%s is none', (_, value) => {
  expect(value instanceof one.WebhookError).toBe(false)
})

test('a rejection by another copy of core stays the same error', async () => {
  const given = adapter.rejection('body_incomplete', { received: 7 })
  const attempt = received('message.read', { readBody: () => Promise.reject(given) })
  await expect(attempt).rejects.toBe(given)
  expect(given).toMatchObject({ status: 400, reason: 'body_incomplete' })
})

test('a missing delivery is logged once a minute by all copies of core together', () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  for (const { requireAttached } of [here, adapter, here, adapter]) {
    expect(() => requireAttached(undefined)).toThrow(one.WebhookError)
  }
  expect(print).toHaveBeenCalledOnce()
})

function markOf(descriptor: PropertyDescriptor) {
  return {
    [Symbol.for('@webhook-receiver/core.WebhookError')]: descriptor,
  }
}
