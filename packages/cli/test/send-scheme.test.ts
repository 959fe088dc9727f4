import { mistakesFor } from '@webhook-receiver/emulator/internal'
import { expect, it } from 'vitest'
import { invoke, words } from './invoke.ts'
import { receiverOf } from './receiver.ts'

const SECRET = `whsec_${Buffer.from('a key of this test').toString('base64')}`
const NOW = Date.parse('2026-11-23T00:00:00Z')

const send = (args: readonly string[]) =>
  invoke(['send', ...args], { env: { WEBHOOK_SECRET: SECRET }, now: () => NOW })

it.each(['stripe', 'github', 'linear', 'twilio', 'standard-webhooks'])(
  'a receiver of %s takes it, and nothing that was tampered with',
  async (name) => {
    const { url, deliveries, scheme, flags } = await receiverOf(name, SECRET, { now: () => NOW })
    const args = ['test', url, ...flags]
    const valid = await send(words`${args} --data {"text":"2026Z"}`)
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

it.each(['stale', 'future'])(
  '--tamper %s is for a receiver with `tolerance` where the service has no replay window, and is rejected by it',
  async (tamper) => {
    const options = { now: () => NOW, tolerance: 300 }
    const { url, deliveries, flags } = await receiverOf('paddle', SECRET, options)
    const { code, out, err } = await send([url, ...flags, '--tamper', tamper])
    expect([code, out]).toEqual([0, expect.stringContaining('rejected with 401, as expected')])
    expect(err).toBe(
      'Paddle has no replay window: only a receiver with `tolerance` rejects this.\n',
    )
    expect(deliveries).toEqual([])
  },
)
