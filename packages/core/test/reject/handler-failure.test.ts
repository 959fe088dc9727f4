import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { handlerFailed, printHandlerFailure } from '../../src/adapter.ts'
import { WebhookError } from '../../src/index.ts'

afterEach(() => void vi.restoreAllMocks())

test.each([
  Object.assign(new Error('MARK'), { status: 200, headers: { 'Set-Cookie': 'MARK' } }),
  Object.freeze(new TypeError('MARK')),
  'MARK',
  { status: 204, message: 'MARK' },
  new Response('MARK'),
  Symbol('MARK'),
  undefined,
  null,
  0,
  '',
  () => 'MARK',
])('%s becomes handler_failed, with it as the cause and nothing of it anywhere else', (thrown) => {
  const error = handlerFailed(thrown)
  expect(error).toBeInstanceOf(WebhookError)
  expect(error).toMatchObject({ reason: 'handler_failed', status: 500, headers: {} })
  expect('cause' in error).toBe(true)
  expect(error.cause).toBe(thrown)
  expect(JSON.stringify([error, { ...error }, error.detail, error.stack])).not.toContain('MARK')
})

const fail = () => {
  throw new Error('MARK')
}

test.each([
  ['a getter throws', Object.defineProperty(new Error(), 'message', { get: fail })],
  ['an enumerable getter throws', Object.defineProperty({}, 'a', { get: fail, enumerable: true })],
  ['the name has no text', Object.assign(new Error(), { name: Object.create(null) })],
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

test('a WebhookError that a handler throws stays as it is', () => {
  const error = new WebhookError('store_unavailable', '')
  expect(handlerFailed(error)).toBe(error)
})

test('a chain of causes without an end is followed for a while', () => {
  const error: Error = new Error('MARK')
  error.cause = error
  expect(handlerFailed(error).cause).toBe(error)
})

test('what cannot be printed is reported in one line', () => {
  const print = vi
    .spyOn(console, 'error')
    .mockImplementation((...args) => void args.map((arg) => inspect(arg)))
  const cause = {
    [inspect.custom]: () => {
      throw new Error('MARK')
    },
  }
  printHandlerFailure(handlerFailed(cause))
  expect(print.mock.lastCall?.join(' ')).toMatch(
    /^\[webhook-receiver\] The handler failed\. The delivery is answered 500\. .* cannot be shown/,
  )
})
