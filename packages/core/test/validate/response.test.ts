import { validateHeaderName, validateHeaderValue } from 'node:http'
import { bodyScheme } from '@webhook-receiver/suites'
import { expect, test } from 'vitest'
import { createReceiver, WebhookError, WebhookHandshake, webhookHandler } from '../../src/index.ts'
import { checkedResponse } from '../../src/validate/response.ts'

const headersWith = (name: string, value: string) => ({ status: 200, headers: { [name]: value } })

test('what is accepted of names and values, Node and Headers take', () => {
  const seen = { accepted: 0, rejected: 0 }
  for (let code = 0; code < 0x120; code++) {
    const character = String.fromCharCode(code)
    for (const [name, value] of [
      [`x${character}y`, 'a'],
      [character, 'a'],
      ['x', `a${character}b`],
      ['x', character],
    ] as const) {
      try {
        checkedResponse(headersWith(name, value), 'a test')
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
        seen.rejected++
        continue
      }
      seen.accepted++
      validateHeaderName(name)
      validateHeaderValue(name, value)
      expect([...new Headers({ [name]: value })]).toEqual([[name.toLowerCase(), value]])
    }
  }
  // RFC 9110: 77 characters of tokens; 222 of field values, and two more that are white space.
  const accepted = 2 * 77 + 2 * 222 + 2
  expect(seen).toEqual({ accepted, rejected: 4 * 0x120 - accepted })
})

test.each([
  ['a success', () => createReceiver('a', { scheme: { ...bodyScheme, success: { status: 99 } } })],
  [
    'the success of body',
    () =>
      webhookHandler('a', () => {}, {
        scheme: { ...bodyScheme, success: headersWith('content-length', '1') },
      }),
  ],
  [
    'the handshake "ping"',
    () => new WebhookHandshake({ name: 'ping', response: headersWith('te', 'a') }),
  ],
  [
    'a WebhookError',
    () => new WebhookError('handler_failed', 'a', { headers: { 'Retry-After': '1\n' } }),
  ],
])('of %s, a response that cannot be sent is a TypeError', (whose, make) => {
  expect(make).toThrow(TypeError)
  expect(make).toThrow(whose === 'a success' ? '`status` of the success of body' : `of ${whose}`)
})

test('the response of a handshake cannot be changed behind its check', () => {
  const handshake = new WebhookHandshake({ name: 'ping', response: { status: 200 } })
  expect(() => Object.assign(handshake, { response: headersWith('te', 'a') })).toThrow(TypeError)
  expect(handshake.response).toEqual({ status: 200 })
})

test('names that others chose are shown without marks that turn text around', () => {
  const name = 'a\u202eb'
  const response = headersWith(name, 'a')
  for (const make of [
    () => new WebhookHandshake({ name, response: { status: 99 } }),
    () => new WebhookHandshake({ name: 'ping', response }),
  ]) {
    expect(make).toThrow('"a\\u{202e}b"')
    expect(make).not.toThrow('\u202e')
  }
})

test('headers that give something else each time they are read are sent as they were checked', () => {
  let read = 0
  const headers = {
    get a() {
      return read++ === 0 ? 'b' : 'b\r\ncontent-length: 1'
    },
  }
  expect(() => checkedResponse({ status: 200, headers }, 'a test')).toThrow(TypeError)
  const names = ['content-length', 'content-length', 'x']
  const changing = new Proxy(
    {},
    {
      ownKeys: () => [names.pop() ?? ''],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      get: () => '1',
    },
  )
  expect(() => checkedResponse({ status: 200, headers: changing }, 'a test')).toThrow(TypeError)
})
