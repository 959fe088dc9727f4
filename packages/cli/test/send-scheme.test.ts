import { generateKeyPairSync } from 'node:crypto'
import { mistakesFor } from '@webhook-receiver/emulator/internal'
import { expect, it } from 'vitest'
import { findScheme } from '../src/options/find-scheme.ts'
import { invoke } from './invoke.ts'
import { receiver, respondingWith } from './receiver.ts'

const SECRET = `whsec_${Buffer.from('a key of this test').toString('base64')}`
const NOW = Date.parse('2026-11-23T00:00:00Z')

const send = (args: readonly string[], secret = SECRET) =>
  invoke(['send', ...args], { env: { WEBHOOK_SECRET: secret }, now: () => NOW })

it.each(['stripe', 'github', 'linear', 'twilio', 'standard-webhooks'])(
  'a receiver of %s takes it, and nothing that was tampered with',
  async (name) => {
    const { scheme } = await findScheme(name)
    const publicUrl = scheme.signsUrl ? 'https://example.com' : undefined
    const { url, deliveries } = await receiver(SECRET, { scheme, publicUrl, now: () => NOW })
    const signed = publicUrl ? ['--public-url', publicUrl] : []
    const args = ['test', url, '--scheme', name, ...signed]
    const valid = await send([...args, '--data', '{"text":"2026Z"}'])
    expect(valid.err).toBe('')
    expect([valid.code, deliveries]).toMatchObject([0, [{ event: 'test' }]])
    const timed = Number.isFinite(scheme.tolerance) ? ['stale', 'future'] : []
    for (const tamper of ['body', 'secret', 'unsigned', ...timed, ...mistakesFor(scheme)]) {
      const { code, out } = await send([...args, '--tamper', tamper])
      expect([tamper, code, out]).toEqual([tamper, 0, expect.stringContaining('with 401')])
    }
    expect(deliveries).toHaveLength(1)
  },
)

it('does not sign with a public key', async () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
  const args = ['http://127.0.0.1:1/', '--scheme', 'standard-webhooks']
  const { code, err } = await send(args, `whpk_${key}`)
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/only standard-webhooks has its\s+private\s+key/),
  ])
})

it('sends the first sample of the service without an event', async () => {
  const { scheme } = await findScheme('github')
  const { url, deliveries } = await receiver(SECRET, { scheme })
  expect((await send([url, '--scheme', 'github'])).code).toBe(0)
  expect(deliveries).toMatchObject([{ event: 'push', data: { ref: 'refs/heads/main' } }])
})

it('writes the body again as a parser does, and says so where that is accepted', async () => {
  const args = [await respondingWith(200), '--scheme', 'stripe', '--tamper', 'body_reserialized']
  const { code, out } = await send(args)
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/JSON\s+that\s+it\s+has\s+written\s+again/),
  ])
  const [json] = (await send([...args, '--json'])).json
  const { sent } = json as unknown as { readonly sent: { readonly body: string } }
  expect(sent.body).toContain('"type": "invoice.paid"')
  expect(JSON.parse(sent.body)).toMatchObject({ data: { object: { status: 'paid' } } })
})
