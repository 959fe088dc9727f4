import { generateKeyPairSync } from 'node:crypto'
import type { Scheme } from '@webhook-receiver/core'
import { mistakesFor } from '@webhook-receiver/emulator/internal'
import { webhookHandler } from '@webhook-receiver/node'
import { github, linear, slack, standardWebhooks, stripe, twilio } from '@webhook-receiver/schemes'
import { expect, it } from 'vitest'
import { invoke } from './invoke.ts'
import { serving } from './receiver.ts'

const SECRET = 'a secret of this test'
const WHSEC = `whsec_${Buffer.from('a key of this test').toString('base64')}`
const NOW = Date.parse('2026-11-23T00:00:00Z')

const send = (event: string, url: string, options: readonly string[], secret = SECRET) =>
  invoke(['send', event, url, ...options], { env: { WEBHOOK_SECRET: secret }, now: () => NOW })

const RECEIVERS: readonly (readonly [Scheme, string, readonly string[]])[] = [
  [stripe, SECRET, ['body', 'secret', 'stale', 'future', 'unsigned']],
  [github, SECRET, ['body', 'secret', 'unsigned']],
  [slack, SECRET, ['body', 'secret', 'stale', 'future', 'unsigned']],
  [linear, SECRET, ['body', 'secret', 'stale', 'future', 'unsigned']],
  [twilio, SECRET, ['body', 'secret', 'unsigned']],
  [standardWebhooks, WHSEC, ['body', 'secret', 'stale', 'unsigned']],
]

it.each(RECEIVERS.map(([scheme, ...rest]) => [scheme.name, scheme, ...rest] as const))(
  'a receiver of %s takes it, and nothing that was tampered with',
  async (name, scheme, secret, tamperings) => {
    const events: unknown[] = []
    const publicUrl = scheme.signsUrl ? 'https://example.com' : undefined
    const options = { scheme, publicUrl, now: () => NOW, onRejected: false } as const
    const url = `${await serving(webhookHandler(secret, (delivery) => void events.push(delivery), options))}/webhooks`
    const chosen = ['--scheme', name, ...(publicUrl ? ['--public-url', publicUrl] : [])]
    const valid = await send('test', url, [...chosen, '--data', '{"text":"2026Z"}'], secret)
    expect(valid.err).toBe('')
    expect([valid.code, events]).toEqual([0, [expect.objectContaining({ event: 'test' })]])
    for (const tamper of [...tamperings, ...mistakesFor(scheme)]) {
      const { code, out } = await send('test', url, [...chosen, '--tamper', tamper], secret)
      expect([tamper, code, out]).toEqual([tamper, 0, expect.stringContaining('with 401')])
    }
    expect(events).toHaveLength(1)
  },
)

it('does not sign with a public key', async () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
  const options = ['--scheme', 'standard-webhooks']
  const { code, err } = await send('push', 'http://127.0.0.1:1/', options, `whpk_${key}`)
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/only standard-webhooks has its private\s+key/),
  ])
})

it('sends the first sample of the service without an event', async () => {
  const seen: { event: unknown; data: unknown }[] = []
  const handle = webhookHandler(SECRET, ({ event, data }) => void seen.push({ event, data }), {
    scheme: github,
    now: () => NOW,
  })
  const origin = await serving(handle)
  const options = { env: { WEBHOOK_SECRET: SECRET }, now: () => NOW }
  const sent = await invoke(['send', `${origin}/`, '--scheme', 'github'], options)
  expect([sent.code, seen]).toMatchObject([
    0,
    [{ event: 'push', data: { ref: 'refs/heads/main' } }],
  ])
})
