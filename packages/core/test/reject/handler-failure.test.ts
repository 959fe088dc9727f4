import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { failureLine, handlerFailed } from '../../src/reject/handler-failure.ts'

const fail = () => {
  throw new Error('MARK')
}

test.each([
  ['a getter throws', Object.defineProperty(new Error(), 'message', { get: fail })],
  ['every trap throws', new Proxy(new Error(), { get: fail, ownKeys: fail, getPrototypeOf: fail })],
  ['a cause throws', new Error('', { cause: new Proxy(new Error(), { get: fail }) })],
])(
  'what cannot be read becomes handler_failed, with an error in its place: %s',
  (_name, thrown) => {
    const { reason, cause } = handlerFailed(thrown)
    expect(reason).toBe('handler_failed')
    expect(inspect(cause)).toContain('reading it throws')
  },
)

test('a chain of causes without an end is followed for a while', () => {
  const error = new Error('MARK')
  error.cause = error
  expect(handlerFailed(error).cause).toBe(error)
})

const DELIVERY = { id: 'm_1', event: 'message.received' }

test('the line of a failed handler names the endpoint or the path, and the delivery, bounded and escaped', () => {
  const line = (delivery: object, endpoint?: string, url?: string) =>
    failureLine(delivery, endpoint, url)
  expect(line(DELIVERY, undefined, 'http://a.test/webhooks?key=1')).toBe(
    '500 handler_failed at /webhooks message.received m_1: the handler threw',
  )
  expect(line({})).toBe('500 handler_failed: the handler threw')
  const long = line({ id: `\u001b[2J\u202e\n${'x'.repeat(500)}` }, undefined, `/${'y'.repeat(500)}`)
  expect(long).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(long.length).toBeLessThan(300)
})
