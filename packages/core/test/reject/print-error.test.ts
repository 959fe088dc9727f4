import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { printError } from '../../src/reject/print-error.ts'

const LINE = '[webhook-receiver] The handler failed.'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function printed(error: unknown): readonly unknown[] {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  printError(LINE, error)
  const { calls } = print.mock
  expect(calls).toHaveLength(1)
  print.mockRestore()
  return calls[0] ?? []
}

/** What a terminal interprets, as a message may quote it from a delivery. */
const OBEYED = ['\u001b]0;MARK\u0007', '\u001b[2J', '\u009b2J', '\b\b', '\r', '\u202e', '\u2028']

const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}]/u

function parseError(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error
  }
}

test.each(OBEYED)('what a terminal interprets is written as an escape: %j', (text) => {
  for (const error of [new Error(`no ${text}`), { cause: new Error(text) }, `no ${text}`]) {
    const [shown, ...others] = printed(error)
    expect(shown).toContain(LINE)
    expect(shown).not.toMatch(CONTROLS)
    expect(others).toEqual([])
  }
})

// Not every engine quotes the text in this message.
test.each(OBEYED)('what JSON.parse says of a text prints no control character: %j', (text) => {
  const parts = printed(parseError(`x${text}`))
  const shown = parts.map((part) => (typeof part === 'string' ? part : inspect(part))).join(' ')
  expect(shown).toContain(LINE)
  expect(shown).not.toMatch(CONTROLS)
})

test('no message begins a line as this library does', () => {
  const forged = '[webhook-receiver] 401 signature_mismatch from 192.0.2.1: MARK'
  for (const error of [new Error(`no\n${forged}`), `no\n${forged}`]) {
    const [shown, ...others] = printed(error)
    expect(shown).toContain(forged)
    expect(String(shown).match(/^\[webhook-receiver\]/gm)).toHaveLength(1)
    expect(others).toEqual([])
  }
})

test('any other error is handed over as it is', () => {
  const error = new Error('no\n\twith a line break, and 👩🏽‍🚒')
  expect(printed(error)).toEqual([LINE, error])
})

test('where nothing shows errors the stack is looked at', () => {
  vi.stubGlobal('process', undefined)
  expect(printed('\u001b[2J')).toEqual([`${LINE} \\u001b[2J`])
  expect(printed(undefined)).toEqual([LINE, undefined])
  expect(String(printed(new Error('\u001b[2J')))).toContain('\\u001b[2J')
})
