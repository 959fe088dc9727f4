import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { discordEvents, github, stripe } from '@webhook-receiver/schemes'
import { describe, expect, test, vi } from 'vitest'
import { posting, type StartScheme, TIME } from './start.ts'

/** Bodies at which verifiers stumble, and whether a handler gets them. */
const BODIES = Object.entries({
  'dollar and ampersand': [delivery("$& $$ $1 $` $' 👩🏽‍🚀"), true],
  'CR LF behind it': [bytes(delivery('x'), '\r\n'), true],
  '70 kB': [delivery('0123456789'.repeat(7000)), true],
  'a byte order mark': [bytes('\ufeff', delivery('x')), false],
  'Latin-1': [Uint8Array.from(Buffer.from('{"id":"caf\xe9"}', 'latin1')), false],
  'NUL and no JSON': [bytes('$&\0 {'), false],
} as const)

/** Tests an adapter with what three services send: HMAC with a timestamp, HMAC without one, and Ed25519. */
export function describeServices(name: string, start: StartScheme): void {
  describe.each(SERVICES)(`${name}, with deliveries of $scheme.name`, (service) => {
    const { scheme, secret, headersOf, handedOut } = service
    const started = posting(start)

    test('hands out a delivery, and rejects its signature with another body', async () => {
      const work = vi.fn()
      const post = await started(work, { scheme }, secret)
      const body = bytes(delivery('x'))
      expect((await post(headersOf(body), body)).status).toBe(204)
      expect(work.mock.calls.map(([handled]) => handled)).toEqual([
        { scheme: scheme.name, ...handedOut, data: JSON.parse(delivery('x')) },
      ])
      const rejected = await post(headersOf(body), delivery('y'))
      expect([rejected.status, work.mock.calls.length]).toEqual([401, 1])
    })

    test.each(BODIES)(
      'verifies the bytes of a body as received: %s',
      async (_what, [given, runs]) => {
        const work = vi.fn()
        const post = await started(work, { scheme }, secret)
        const body = bytes(given)
        expect((await post(headersOf(body), body)).status).toBe(runs ? 204 : 400)
        expect(work).toHaveBeenCalledTimes(runs ? 1 : 0)
      },
    )
  })
}

function delivery(text: string): string {
  return JSON.stringify({ id: 'evt_1', type: 'note.created', event: { type: 'note' }, text })
}

function bytes(...parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(parts.map((part) => Buffer.from(part))))
}

const discord = generateKeyPairSync('ed25519')

// Signed by node:crypto alone, as each service describes it.
const SERVICES = [
  {
    scheme: stripe,
    secret: 'whsec_stripe',
    handedOut: { id: 'evt_1', event: 'note.created' },
    headersOf(body: Uint8Array): Readonly<Record<string, string>> {
      const signature = createHmac('sha256', 'whsec_stripe').update(`${TIME}.`).update(body)
      return { 'Stripe-Signature': `t=${TIME},v1=${signature.digest('hex')}` }
    },
  },
  {
    scheme: github,
    secret: 'try me',
    handedOut: { id: 'one', event: 'push' },
    headersOf(body: Uint8Array) {
      const signature = createHmac('sha256', 'try me').update(body).digest('hex')
      const named = { 'X-GitHub-Delivery': 'one', 'X-GitHub-Event': 'push' }
      return { ...named, 'X-Hub-Signature-256': `sha256=${signature}` }
    },
  },
  {
    scheme: discordEvents,
    secret: discord.publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('hex'),
    handedOut: { event: 'note' },
    headersOf(body: Uint8Array) {
      const signature = sign(null, bytes(String(TIME), body), discord.privateKey)
      const timed = { 'X-Signature-Timestamp': String(TIME) }
      return { ...timed, 'X-Signature-Ed25519': signature.toString('hex') }
    },
  },
]
