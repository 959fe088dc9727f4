import { createHmac } from 'node:crypto'
import type { AdapterSetup, RunningAdapter } from '@webhook-receiver/conformance'
import {
  memoryStore,
  reply,
  type SchemeKind,
  type WebhookContext,
  type WebhookHandlerOptions,
} from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { meta } from '@webhook-receiver/schemes'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { testReplies, UNSENDABLE } from './responses.ts'
import { bodyScheme, challengeScheme } from './schemes.ts'

const SECRET = 'shared by hand'

/** The clock of the receiver, in seconds. */
const TIME = 1_795_000_000

const ORIGIN = 'https://hooks.example.com'

/** What an adapter gets to start `webhookHandler(secret, handlers, { now, onRejected: false, ...options })`, or its middleware. */
interface SchemeSetup extends Pick<AdapterSetup, 'secret' | 'now' | 'path'> {
  /** For `any` event. */
  readonly work: (delivery: object, context: WebhookContext<unknown>) => unknown
  readonly options: WebhookHandlerOptions<NoSchemas, never, undefined, unknown, SchemeKind> & {
    readonly duplicates: 'id' | 'body' | undefined
  }
}

type StartScheme = (setup: SchemeSetup) => RunningAdapter | Promise<RunningAdapter>

/** Starts an adapter with a scheme, and gives the function that posts to it. */
type StartPosting = (
  work: SchemeSetup['work'],
  options: Partial<SchemeSetup['options']>,
) => Promise<Post>

type Post = (
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array<ArrayBuffer>,
  target?: string,
) => Promise<Response>

/**
 * Tests an adapter with schemes that are not the contract, on real sockets. Call it at the top level of a test file.
 *
 * @param query What the public URL has behind its path: what is in front of some receivers decodes it.
 * @param form `middleware` runs what follows it with 204, so that only the handler form is asked for the response of the scheme.
 */
export function describeSchemes(
  name: string,
  form: 'handler' | 'middleware',
  start: StartScheme,
  query = 'a=1&b=%20%2f',
): void {
  describe(`${name}, ${form} with another scheme`, () => {
    const { begin, started } = posting(start)

    test('hands out { scheme, id, event, data } and what is not signed', async () => {
      const work = vi.fn()
      const post = await started(work, { scheme: bodyScheme })
      const response = await post(bodyHeaders('{"ref":"main"}', 'one', 'push'), '{"ref":"main"}')
      expect([response.status, await response.text()]).toEqual([204, ''])
      const [delivery, context] = work.mock.calls[0] ?? []
      expect(delivery).toEqual({ scheme: 'body', id: 'one', event: 'push', data: { ref: 'main' } })
      expect(context.verification).toMatchObject({ unsigned: ['id', 'event'], timestamp: '' })
    })

    test('rejects a changed body with 401', async () => {
      const work = vi.fn()
      const post = await started(work, { scheme: bodyScheme })
      const response = await post(bodyHeaders('{"ref":"main"}', 'one', 'push'), '{"ref":"evil"}')
      expect([response.status, await response.json()]).toEqual([
        401,
        { code: 'not_authenticated', message: 'not authenticated' },
      ])
      expect(work).not.toHaveBeenCalled()
    })

    test('verifies the URL as the service was given it, before any mount and with its query', async () => {
      const work = vi.fn()
      const post = await started(work, { scheme: challengeScheme, publicUrl: ORIGIN })
      const body = '{"type":"created"}'
      const target = `/webhooks?${query}`
      expect((await post(challengeHeaders(`${ORIGIN}${target}`, body), body, target)).ok).toBe(true)
      expect(work.mock.calls[0]?.[0]).toEqual({
        scheme: 'challenge',
        event: 'created',
        data: { type: 'created' },
      })
      const other = await post(challengeHeaders(`${ORIGIN}/webhooks`, body), body, target)
      expect([other.status, work.mock.calls.length]).toEqual([401, 1])
    })

    test('responds to a handshake by itself, and no handler sees it', async () => {
      const work = vi.fn()
      const [onHandshake, onAccepted, onRejected] = [vi.fn(), vi.fn(), vi.fn()]
      const hooks = { onHandshake, onAccepted, onRejected }
      const post = await started(work, { scheme: challengeScheme, publicUrl: ORIGIN, ...hooks })
      const body = '{"challenge":"3eZbrw1aB"}'
      const response = await post(challengeHeaders(`${ORIGIN}/webhooks`, body), body)
      expect([response.status, await response.text()]).toEqual([200, '3eZbrw1aB'])
      expect(response.headers.get('content-type')).toBe('text/plain')
      expect(response.headers.get('x-challenge')).toBe('passed')
      expect(onHandshake.mock.calls).toEqual([
        [expect.objectContaining({ name: 'url_verification', scheme: 'challenge' })],
      ])
      for (const unseen of [work, onAccepted, onRejected]) expect(unseen).not.toHaveBeenCalled()
      const forged = await post(challengeHeaders('https://evil.example/webhooks', body), body)
      expect([forged.status, onHandshake.mock.calls.length]).toEqual([401, 1])
    })

    test.each(UNSENDABLE)(
      'responds with an error to a handshake whose response has %s, and to the next one as it should',
      async (_, response) => {
        const onHandshake = vi.fn()
        let sent = response
        const handshake = () => ({ name: 'url_verification', response: sent as { status: 200 } })
        const scheme = { ...challengeScheme, handshake }
        const post = await started(() => {}, { scheme, publicUrl: ORIGIN, onHandshake })
        const print = vi.spyOn(console, 'error').mockReturnValue()
        const check = () => post(challengeHeaders(`${ORIGIN}/webhooks`, '{}'), '{}')
        expect((await check()).status).toBeGreaterThanOrEqual(500)
        expect(onHandshake).not.toHaveBeenCalled()
        print.mockRestore()
        sent = { status: 200, body: 'b' }
        expect(await (await check()).text()).toBe('b')
      },
    )

    if (form === 'middleware') return

    test('responds as the service asks for it', async () => {
      const post = await started(() => {}, { scheme: challengeScheme, publicUrl: ORIGIN })
      const body = '{"type":"created"}'
      const response = await post(challengeHeaders(`${ORIGIN}/webhooks`, body), body)
      expect([response.status, await response.text()]).toEqual([200, 'ok'])
      expect(response.headers.get('content-type')).toBe('text/plain')
    })

    test('sends text, JSON and bytes that a handler replies with, and their headers', async () => {
      const replies = [
        reply({ body: '<Hi/>', headers: { 'Content-Type': 'text/xml' } }),
        reply({ status: 201, body: { text: 'ä' } }),
        reply({ body: Uint8Array.of(0, 255, 128), headers: { 'x-a': 'b' } }),
      ]
      const post = await started(() => replies.shift(), { scheme: bodyScheme })
      const seen = []
      for (const id of ['one', 'two', 'three']) {
        const response = await post(bodyHeaders('{}', id, 'push'), '{}')
        const names = ['content-type', 'x-a'].map((name) => response.headers.get(name))
        const body = Buffer.from(await response.arrayBuffer()).toString('latin1')
        seen.push([response.status, body, ...names])
      }
      expect(seen).toEqual([
        [200, '<Hi/>', 'text/xml', null],
        [201, '{"text":"Ã¤"}', 'application/json', null],
        [200, '\0\xff\x80', 'application/octet-stream', 'b'],
      ])
    })

    testReplies(async (work) => {
      const port = await begin(work, { scheme: bodyScheme })
      return { port, headers: bodyHeaders('{}', 'one', 'push'), body: '{}' }
    })

    test('responds to a check by GET, in which there is no delivery', async () => {
      const work = vi.fn()
      const port = await begin(work, { scheme: meta, verifyToken: 'let-me-in' })
      const get = (token: string) => {
        const query = `hub.mode=subscribe&hub.challenge=1158&hub.verify_token=${token}`
        return fetch(`http://127.0.0.1:${port}/webhooks?${query}`)
      }
      const response = await get('let-me-in')
      expect([response.status, await response.text()]).toEqual([200, '1158'])
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect((await get('guess')).status).toBe(403)
      expect(work).not.toHaveBeenCalled()
    })

    test.each([
      ['id', 2],
      ['body', 1],
    ] as const)(
      'by `duplicates: %s`, one body with two ids runs %i times, and what has another id, event or body is never lost',
      async (duplicates, byId) => {
        const work = vi.fn()
        const options = { scheme: bodyScheme, store: memoryStore(), duplicates }
        const post = await started(work, options)
        await post(bodyHeaders('{"n":1}', 'one', 'push'), '{"n":1}')
        await post(bodyHeaders('{"n":1}', 'two', 'push'), '{"n":1}')
        expect(work).toHaveBeenCalledTimes(byId)
        work.mockClear()
        // An attacker sends the first body under the id and the event of others, which have not come yet.
        await post(bodyHeaders('{"n":1}', 'three', 'push'), '{"n":1}')
        await post(bodyHeaders('{"n":1}', 'three', 'created'), '{"n":1}')
        work.mockClear()
        const third = bodyHeaders('{"n":3}', 'three', 'push')
        const statuses = [await post(third, '{"n":3}'), await post(third, '{"n":3}')]
        expect(statuses.map(({ status }) => status)).toEqual([204, 204])
        expect(work.mock.calls.map(([{ data }]) => data)).toEqual([{ n: 3 }])
      },
    )

    test('throws a TypeError at start without `duplicates`, and without `publicUrl`', async () => {
      const error = (options: Parameters<StartPosting>[1]) =>
        started(() => {}, options).then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
      const missing = await error({ scheme: bodyScheme, store: memoryStore() })
      expect(missing).toBeInstanceOf(TypeError)
      expect(missing).toMatchObject({ message: expect.stringMatching(/^`duplicates` is missing/) })
      const origin = await error({ scheme: challengeScheme })
      expect(origin).toMatchObject({ message: expect.stringMatching(/^`publicUrl` is missing/) })
    })
  })
}

/** What is started is closed behind each test. */
function posting(start: StartScheme) {
  const running: RunningAdapter[] = []
  afterEach(() => Promise.all(running.splice(0).map((adapter) => adapter.close())))
  const begin = async (work: SchemeSetup['work'], given: Partial<SchemeSetup['options']>) => {
    const options = { duplicates: undefined, ...given }
    const now = () => TIME * 1000
    const adapter = await start({ secret: SECRET, now, path: '/webhooks', work, options })
    running.push(adapter)
    return adapter.port
  }
  const started: StartPosting = async (work, given) => {
    const port = await begin(work, given)
    return (headers, body, target = '/webhooks') =>
      fetch(`http://127.0.0.1:${port}${target}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
  }
  return { begin, started }
}

// Not by `sign` of the schemes, so that a mistake cannot be in both.

function bodyHeaders(body: string, id: string, event: string): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', SECRET).update(body).digest('hex')
  return { 'X-Body-Id': id, 'X-Body-Event': event, 'X-Body-Signature': `sha256=${signature}` }
}

function challengeHeaders(url: string, body: string): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', SECRET).update(`${TIME}.${url}.${body}`).digest('base64')
  return { 'X-Challenge-Time': String(TIME), 'X-Challenge-Signature': signature }
}
