import { expect, test, vi } from 'vitest'
import { describeError, printError } from '../../src/reject/print-error.ts'

const LINE = '[webhook-receiver] The handler failed.'

function printed(error: unknown) {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  printError(LINE, error)
  const { calls } = print.mock
  expect(calls).toEqual([[expect.any(String)]])
  print.mockRestore()
  return calls[0]?.[0]
}

/** What a terminal interprets, as a message may quote it from a delivery. */
const OBEYED = ['\u001b]0;MARK\u0007', '\u001b[2J', '\u009b2J', '\b\b', '\r', '\u202e', '\u2028']

const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}]/u

test.each(OBEYED)('what a terminal interprets is written as an escape: %j', (text) => {
  const coded = Object.assign(new Error(), { name: text, code: text })
  for (const error of [new Error(`no ${text}`), { cause: new Error(text) }, `no ${text}`, coded]) {
    const shown = printed(error)
    expect(shown).toContain(LINE)
    expect(shown).not.toMatch(CONTROLS)
  }
})

test('no message begins a line as this library does', () => {
  const forged = '[webhook-receiver] 401 signature_mismatch from 192.0.2.1: MARK'
  for (const error of [new Error(`no\n${forged}`), `no\n${forged}`]) {
    const shown = printed(error)
    expect(shown).toContain(forged)
    expect(shown.match(/^\[webhook-receiver\]/gm)).toHaveLength(1)
  }
})

test('a message keeps its lines, indented, and its characters', () => {
  const message = 'no\n\twith a line break, and 👩🏽‍🚒'
  expect(printed(message)).toBe(`${LINE} no\n    \twith a line break, and 👩🏽‍🚒`)
  expect(printed(new Error(message))).toContain('Error: no\n    \twith a line break, and 👩🏽‍🚒\n')
})

test('a chain has the stack and the code of each error, once, and no other property', () => {
  const hidden = { detail: 'MARK', config: { headers: 'MARK' }, toJSON: () => 'MARK' }
  const deepest = Object.assign(new Error('deepest'), { code: 'ECONNREFUSED', ...hidden })
  const cause = Object.assign(new AggregateError([deepest, 'a text', deepest], 'all'), hidden)
  const error = Object.assign(new TypeError('first', { cause }), { code: 23505, ...hidden })
  deepest.cause = error
  const { stack, ...described } = describeError(error)
  expect(described).toEqual({ name: 'TypeError', message: 'first', code: '23505' })
  const without = stack.replaceAll(/^ +at .+\n?/gm, '')
  expect(without.split('\n')).toEqual([
    'TypeError: first',
    '    code: 23505',
    '    cause: AggregateError: all',
    '    cause: Error: deepest',
    '    code: ECONNREFUSED',
    '    cause: a text',
  ])
  for (const { stack: own } of [error, cause, deepest]) {
    expect(stack).toContain(own?.match(/at .+$/m)?.[0])
  }
})

test('what is long is cut: a chain, a message, a code', () => {
  const chain = Array.from({ length: 100 }).reduce(
    (cause, _, at) => new Error(`error ${at}`, { cause }),
    undefined,
  )
  expect(describeError(chain).stack.match(/Error: error/g)).toHaveLength(10)
  const wide = new AggregateError(Array.from({ length: 100 }, (_, at) => new Error(`error ${at}`)))
  expect(describeError(wide).stack.match(/Error: error/g)).toHaveLength(9)
  const long = Object.assign(new Error('x'.repeat(1_000_000)), { code: 'y'.repeat(1_000_000) })
  expect(printed(long).length).toBeLessThan(11_000)
})

test('what cannot be read does not hide the error that it caused', () => {
  const fail = () => {
    throw new Error('looked at')
  }
  const cause = new Proxy(new Error(), { get: fail, getPrototypeOf: fail })
  expect(printed(new Error('no order', { cause }))).toMatch(
    /Error: no order\n.*\n {4}cause: The error cannot be shown/s,
  )
})

test('a message that the stack does not have is printed too, and the frames of the application first', () => {
  const stack = 'Error: before\n    at node:events:1:1\n    at file.ts:1:1'
  const error = Object.assign(new Error('after'), { stack })
  expect(printed(error)).toMatch(/ Error: after\n {4}Error: before\n {8}at file.ts:1:1\n.*node:/)
})

test.each([
  [undefined, 'undefined'],
  [Symbol('MARK'), 'Symbol(MARK)'],
  [{ status: 204, message: 'other', body: 'MARK' }, 'Not an Error: other'],
  [[1], 'Not an Error: an array'],
])('what is not an Error is printed by its text or its kind: %s', (value, text) => {
  expect(printed(value)).toBe(`${LINE} ${text}`)
})

test('a console that throws ends nothing', () => {
  vi.spyOn(console, 'error').mockImplementationOnce(() => {
    throw new Error('There is no console.')
  })
  expect(() => printError(LINE, new Error())).not.toThrow()
})
