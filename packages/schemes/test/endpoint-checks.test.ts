import { createReceiver, webhookHandler } from '@webhook-receiver/core'
import { describe, expect, test, vi } from 'vitest'
import { asana, defineScheme, docusign, dropbox, lovable, meta } from '../src/index.ts'
import { ACME } from './acme.ts'
import { macOf, NOW, requestOf } from './signed.ts'

const secret = 'a secret of the application'
const TOKEN = 'a-token-of-the-url'

function handlerOf(scheme: object, options: object = {}) {
  const given = { scheme, onRejected: false, now: () => NOW, ...options } as object
  return webhookHandler(secret, async () => {}, given)
}

describe('a check by', () => {
  const all = {
    ...ACME,
    getCheck: { name: 'challenge', echo: 'challenge' },
    headCheck: true,
    originCheck: 'events.example.com',
  } as const
  const onHandshake = vi.fn()
  const handler = handlerOf(defineScheme(all), { onHandshake })
  const plain = handlerOf(defineScheme(ACME))
  const origin = { 'webhook-request-origin': 'events.example.com' }

  test.each<[string, string, number, object?, string?, string?]>([
    ['GET', '?challenge=aB-1_2.c', 200, {}, 'challenge', 'aB-1_2.c'],
    ['GET', '?challenge=%3Cb%3E', 403],
    ['GET', '?challenge=a&challenge=b', 405],
    ['GET', '', 405],
    ['HEAD', '', 200, {}, 'HEAD'],
    ['OPTIONS', '', 200, origin, 'WebHook-Request-Origin'],
    ['OPTIONS', '', 405, { 'webhook-request-origin': 'example.com' }],
    ['DELETE', '', 405],
  ])('%s%s: %s, with %j', async (method, query, status, headers = {}, name = '', body = '') => {
    onHandshake.mockClear()
    const init = { method, headers: { ...headers } }
    const request = () => new Request(`https://example.com/hook${query}`, init)
    const response = await handler(request())
    expect([response.status, status === 200 ? await response.text() : '']).toEqual([status, body])
    // No browser makes a page of it.
    expect(response.headers.get('x-content-type-options')).toBe(body ? 'nosniff' : null)
    expect(onHandshake.mock.calls.map(([info]) => info.name)).toEqual(name ? [name] : [])
    // A service without such a check has none.
    expect((await plain(request())).status).toBe(405)
  })

  // sent-requests.json has one with the token, and one with another.
  const asked = 'hub.mode=subscribe&hub.verify_token='
  test.each([
    [403, `${asked}&hub.challenge=1`],
    [403, `${asked}${TOKEN}&hub.challenge=${'a'.repeat(257)}`],
    [403, `${asked}${TOKEN}&hub.challenge=1&hub.challenge=2`],
    [403, `${asked}guess&hub.verify_token=${TOKEN}&hub.challenge=1`],
    [405, 'hub.mode=unsubscribe'],
    [405, 'hub.challenge=1'],
  ])('GET with a token: %i for %s', async (status, query) => {
    const request = new Request(`https://example.com/hook?${query}`)
    expect((await handlerOf(meta, { verifyToken: TOKEN })(request)).status).toBe(status)
  })

  test('OPTIONS has its headers, and no text of the request', async () => {
    const request = new Request('https://example.com', { method: 'OPTIONS', headers: origin })
    expect(Object.fromEntries((await handler(request)).headers)).toEqual({
      allow: 'POST, OPTIONS',
      'webhook-allowed-origin': 'events.example.com',
      'webhook-allowed-rate': '*',
    })
  })

  test('a 405 names the methods that the route has', async () => {
    const allowed = async (scheme: object, options = {}) => {
      const request = new Request('https://example.com', { method: 'DELETE' })
      return (await handlerOf(scheme, options)(request)).headers.get('allow')
    }
    expect(await allowed(defineScheme(all))).toBe('POST, GET, HEAD, OPTIONS')
    expect(await allowed(meta, { verifyToken: 'token' })).toBe('POST, GET')
    expect(await allowed(defineScheme(ACME))).toBe('POST')
  })

  test('no token is a TypeError for `verifyToken`', () => {
    const make = () => createReceiver(secret, { scheme: dropbox, verifyToken: 'token' } as object)
    expect(make).toThrow(/`verifyToken` should be left out: Dropbox/)
  })
})

describe('several headers with a signature each', () => {
  const body = '{"event":"envelope-completed"}'
  const own = macOf(body, { secret, as: 'base64' })
  const other = macOf(body, { as: 'base64' })

  test.each<[number, Record<string, string>]>([
    [200, { 'x-docusign-signature-1': other, 'x-docusign-signature-2': own }],
    [401, { 'x-docusign-signature-1': other, 'x-docusign-signature-2': other }],
    [401, { 'x-docusign-signature-11': own }],
    // One signature for each: a list in one of them is none.
    [401, { 'x-docusign-signature-1': `${other}, ${own}` }],
  ])('%s for %j', async (status, headers) => {
    expect((await handlerOf(docusign)(requestOf({ headers, body }))).status).toBe(status)
  })

  test('may be two', () => {
    const header = ['x-one', 'x-two'] as const
    const signature = { ...docusign.value.signature, header }
    expect(defineScheme({ ...ACME, signature }).headers).toEqual(['x-one', 'x-two'])
  })
})

test.each([
  [204, '2026-11-23T00:00:00Z'],
  [204, 'Mon, 23 Nov 2026 00:00:00 GMT'],
  [401, '17953920000'],
])('a timestamp in any form gets %s: %s', async (status, time) => {
  const body = '{"type":"auth"}'
  const headers = {
    'x-lovable-timestamp': time,
    'x-lovable-signature': `sha256=${macOf(`${time}.${body}`, { secret })}`,
  }
  expect((await handlerOf(lovable)(requestOf({ headers, body }))).status).toBe(status)
})

test('a rejection has no body where the service wants none', async () => {
  const handler = handlerOf(defineScheme({ ...ACME, emptyRejections: true }))
  const response = await handler(
    requestOf({ headers: { 'x-signature': macOf('{} ', { secret }) }, body: '{}' }),
  )
  expect([response.status, await response.text()]).toEqual([401, ''])
  expect(response.headers.get('content-type')).toBeNull()
  const other = await handler(new Request('https://example.com'))
  expect([other.status, await other.text(), other.headers.get('allow')]).toEqual([405, '', 'POST'])
})

describe('a secret that the service sends', () => {
  const offered = 'abcdef0123456789abcdef0123456789'
  const body = '{"events":[]}'
  const post = (expectSecret: unknown, more: object = {}, query = `?token=${TOKEN}`) => {
    const headers = { 'x-hook-secret': offered, ...more }
    const sent = requestOf({ url: `https://example.com/hook${query}`, headers, body })
    return handlerOf(asana, { expectSecret, callbackTimeout: 0.05 })(sent)
  }

  test.each([
    [403, () => false],
    [403, async () => 1],
    [503, () => Promise.reject(new Error('the database is away'))],
    [503, () => new Promise(() => {})],
  ])('%s where it is not taken: %s', async (status, expectSecret) => {
    const response = await post(expectSecret)
    expect([response.status, response.headers.get('x-hook-secret')]).toEqual([status, null])
  })

  test.each([
    [403, {}, ''],
    [403, {}, '?token=short'],
    [403, {}, `?token=${TOKEN}&token=${TOKEN}`],
    [401, { 'x-hook-secret': 'short' }, undefined],
  ])('%s for %j at %s, without asking', async (status, headers, query) => {
    const expectSecret = vi.fn(() => true)
    const response = await post(expectSecret, headers, query)
    expect([response.status, expectSecret.mock.calls]).toEqual([status, []])
  })

  test('is not looked at in a request with a signature, nor without the option', async () => {
    const expectSecret = vi.fn(() => true)
    const signed = { 'x-hook-signature': macOf(body, { secret }) }
    expect((await post(expectSecret, signed)).status).toBe(204)
    expect((await post(undefined)).status).toBe(401)
    expect(expectSecret).not.toHaveBeenCalled()
  })

  test('of a service that sends none is a TypeError', () => {
    const make = () => handlerOf(docusign, { expectSecret: () => true })
    expect(make).toThrow(/`expectSecret` should be left out: DocuSign sends no secret/)
  })
})
