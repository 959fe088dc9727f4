import { describe, expect, test } from 'vitest'
import { type DefinedScheme, square, standardWebhooks, svix, twilio, twitch } from '../src/index.ts'
import { type Vector, validRequest, vectorsOf, verdict } from './vectors.ts'

// What verifiers get wrong and no vector shows.

const TIME = 1_795_392_000_000
const bytes = (body: string) => new TextEncoder().encode(body)

/** The headers of a body that the service signed. */
async function signedBy(scheme: DefinedScheme, body: string, parts: object = {}) {
  const { secret } = validRequest(scheme)
  const key = await scheme.importKey(secret, 'The secret')
  const given = { id: 'a', event: '', time: TIME, url: '', ...parts }
  return { secret, headers: { ...(await scheme.sign?.(key, bytes(body), given)) } }
}

describe('what is signed cannot be cut differently', () => {
  test.each([svix, standardWebhooks])(
    'in an id of $name that has the dot that ends it',
    async (scheme) => {
      const { secret, headers: made } = await signedBy(scheme, '1795392001.{}')
      const names = Object.keys(validRequest(scheme).headers)
      const [id = '', time = '', signature = ''] = ['id', 'timestamp', 'signature'].map((part) =>
        names.find((name) => name.endsWith(part)),
      )
      const headers = { ...made, [id]: 'a.1795392000', [time]: '1795392001' }
      expect(headers[signature]).toBeDefined()
      expect(await verdict(scheme, { secret, headers, url: '', body: bytes('{}') })).toBe(
        'signature_malformed',
      )
    },
  )

  test('in a URL that ends as a body begins', async () => {
    const signed = await signedBy(square, '{"a":{"b":1}}', { url: 'https://a.example/?x=' })
    const cut = { ...signed, url: 'https://a.example/?x={"a":', body: bytes('{"b":1}}') }
    expect(await verdict(square, cut)).toBe('signature_malformed')
  })

  test('in an id in front of the timestamp that ends as a body begins', async () => {
    const name = (part: string) => `twitch-eventsub-message-${part}`
    const { secret, headers: made } = await signedBy(twitch, '{"at":"2026-11-23T00:10:00Z[1]"}')
    const headers = {
      ...made,
      [name('id')]: `a${made[name('timestamp')]}{"at":"`,
      [name('timestamp')]: '2026-11-23T00:10:00Z',
    }
    expect(await verdict(twitch, { secret, headers, url: '', body: bytes('[1]"}') })).toBe(
      'signature_malformed',
    )
  })

  test('in a GET whose signature comes with a body', async () => {
    const named = (name: string): Vector => {
      const found = vectorsOf(twilio).find((vector) => vector.name === name)
      return found ?? expect.fail(name)
    }
    const plain = named('plain')
    expect(await verdict(twilio, named('empty'))).toBe('valid')
    for (const request of [
      { ...named('empty'), body: bytes('{"MessageSid":"SM2"}') },
      { ...named('JSON, plain'), body: bytes('{"type":"other"}') },
      { ...plain, body: plain.body.slice(3) },
    ]) {
      expect(await verdict(twilio, request)).not.toBe('valid')
    }
  })
})
