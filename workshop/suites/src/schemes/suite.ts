import { describe, expect, test, vi } from 'vitest'
import { bodyHeaders, challengeHeaders, ORIGIN, posting, type StartReceiver } from '../posting.ts'
import { testReplies } from './responses.ts'
import { bodyScheme, challengeScheme } from './schemes.ts'

/**
 * Tests an adapter with schemes that are not the contract, on real sockets. Call it at the top level of a test file.
 *
 * @param form `middleware` runs what follows it with 204, so that only the handler form is asked for the response of the scheme.
 */
export function describeSchemes(
  name: string,
  form: 'handler' | 'middleware',
  start: StartReceiver,
): void {
  describe(`${name}, ${form} with another scheme`, () => {
    const { begin, started } = posting(start)

    test('responds with an error to a handshake whose response cannot be sent, and to the next one as it should', async () => {
      const onHandshake = vi.fn()
      const unsendable = [null, { status: 200, headers: { 'x-a': 'b\r\nc: d' } }]
      let sent: unknown
      const handshake = () => ({ name: 'url_verification', response: sent as { status: 200 } })
      const scheme = { ...challengeScheme, handshake }
      const post = await started(() => {}, { scheme, publicUrl: ORIGIN, onHandshake })
      vi.spyOn(console, 'error').mockReturnValue()
      const check = () => post(challengeHeaders(`${ORIGIN}/webhooks`, '{}'), '{}')
      for (sent of unsendable) expect((await check()).status).toBeGreaterThanOrEqual(500)
      expect(onHandshake).not.toHaveBeenCalled()
      sent = { status: 200, body: 'b' }
      expect(await (await check()).text()).toBe('b')
    })

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

    test('throws a TypeError at start without `publicUrl`', async () => {
      const starting = started(() => {}, { scheme: challengeScheme })
      await expect(starting).rejects.toThrow(/^`publicUrl` is missing/)
    })

    testReplies(async (work) => {
      const port = await begin(work, { scheme: bodyScheme })
      return { port, headers: bodyHeaders('{}'), body: '{}' }
    })
  })
}
