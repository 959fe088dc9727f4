import { memoryStore } from '@webhook-receiver/core'
import { describe, expect, test, vi } from 'vitest'
import {
  bodyHeaders,
  challengeHeaders,
  ORIGIN,
  posting,
  type StartPosting,
  type StartReceiver,
} from '../posting.ts'
import { testReplies, UNSENDABLE } from './responses.ts'
import { bodyScheme, challengeScheme } from './schemes.ts'

/**
 * Tests an adapter with schemes that are not the contract, on real sockets. Call it at the top level of a test file. * @param form `middleware` runs what follows it with 204, so that only the handler form is asked for the response of the scheme.
 */
export function describeSchemes(
  name: string,
  form: 'handler' | 'middleware',
  start: StartReceiver,
): void {
  describe(`${name}, ${form} with another scheme`, () => {
    const { begin, started } = posting(start)

    test.each(UNSENDABLE)(
      'responds with an error to a handshake whose response has %s, and to the next one as it should',
      async (_, response) => {
        const onHandshake = vi.fn()
        let sent = response
        const handshake = () => ({ name: 'url_verification', response: sent as { status: 200 } })
        const scheme = { ...challengeScheme, handshake }
        const post = await started(() => {}, { scheme, publicUrl: ORIGIN, onHandshake })
        vi.spyOn(console, 'error').mockReturnValue()
        const check = () => post(challengeHeaders(`${ORIGIN}/webhooks`, '{}'), '{}')
        expect((await check()).status).toBeGreaterThanOrEqual(500)
        expect(onHandshake).not.toHaveBeenCalled()
        sent = { status: 200, body: 'b' }
        expect(await (await check()).text()).toBe('b')
      },
    )

    test('sends the type of a response to a handshake that has no body, as Discord asks for', async () => {
      const headers = { 'content-type': 'application/json' }
      const handshake = () => ({ name: 'PING', response: { status: 204, headers } as const })
      const scheme = { ...challengeScheme, handshake }
      const post = await started(() => {}, { scheme, publicUrl: ORIGIN })
      const response = await post(challengeHeaders(`${ORIGIN}/webhooks`, '{}'), '{}')
      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(response.headers.get('content-type')).toBe('application/json')
    })

    if (form === 'middleware') return

    test('responds as the service asks for it', async () => {
      const post = await started(() => {}, { scheme: challengeScheme, publicUrl: ORIGIN })
      const body = '{"type":"created"}'
      const response = await post(challengeHeaders(`${ORIGIN}/webhooks`, body), body)
      expect([response.status, await response.text()]).toEqual([200, 'ok'])
      expect(response.headers.get('content-type')).toBe('text/plain')
    })

    testReplies(async (work) => {
      const port = await begin(work, { scheme: bodyScheme })
      return { port, headers: bodyHeaders('{}', 'one', 'push'), body: '{}' }
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
