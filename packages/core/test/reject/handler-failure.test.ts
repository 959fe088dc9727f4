import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { WebhookError } from '../../src/index.ts'
import { handlerFailed, printHandlerFailure } from '../../src/reject/handler-failure.ts'

afterEach(() => void vi.restoreAllMocks())

test.each([
  Object.assign(new Error('MARK'), { status: 200, headers: { 'Set-Cookie': 'MARK' } }),
  Object.freeze(new TypeError('MARK')),
  new WebhookError('signature_missing', 'MARK', { headers: { 'X-A': 'MARK' } }),
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

test('a chain of causes without an end is followed for a while', () => {
  const error: Error = new Error('MARK')
  error.cause = error
  expect(handlerFailed(error).cause).toBe(error)
})

test('an error is printed with its stack and its cause, and what cannot be printed in one line', () => {
  const print = vi
    .spyOn(console, 'error')
    .mockImplementation((...args) => void args.map((arg) => inspect(arg)))
  const error = new Error('no database', { cause: new Error('ECONNREFUSED') })
  printHandlerFailure(error)
  const line = '[webhook-receiver] The handler failed. The status is 500.'
  expect(print.mock.lastCall).toEqual([line, error])
  printHandlerFailure({ [inspect.custom]: fail })
  expect(print.mock.lastCall).toEqual([expect.stringMatching(/^\[webhook.* cannot be shown/)])
})
