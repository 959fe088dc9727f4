import { createWebhookClient } from '@webhook-receiver/client'
import { EVENTS } from '@webhook-receiver/core'
import { describe, expect, it } from 'vitest'
import { findScheme } from '../src/options/find-scheme.ts'
import { API_KEY, invoke, start } from './invoke.ts'
import { receiver, serving } from './receiver.ts'
import { recordingOf } from './recorded.ts'

const FAST = ['--rate', '500', '--retries', 'none']

it.each(['stripe', 'github', 'svix'])(
  'sends deliveries of %s that its receiver accepts, and tampered ones that it rejects',
  async (name) => {
    const { scheme } = await findScheme(name)
    const secret = recordingOf(name).secret
    const { url, deliveries } = await receiver(secret, { scheme })
    const faults = '--faults tamper,wrong-secret,duplicate --fault-rate 0.8 --seed 3'.split(' ')
    const long = 'customer.subscription.deleted'
    const args = ['--scheme', name, '--events', `one,${long}`, '--count', '8', ...faults, ...FAST]
    const env = { WEBHOOK_SECRET: secret }
    const { code, out } = await invoke(['emulate', '--forward', url, ...args], { env })
    const counts = /8 deliveries in 1\d requests, 8 delivered, (\d) forged requests rejected/
    const lines = out.match(/✓ 401 .* (?:tamper|wrong-secret): rejected, as expected$/gm)
    expect([code, counts.exec(out)?.[1]]).toEqual([0, `${lines?.length}`])
    expect(out).toContain(`${long} `)
    expect(deliveries.length).toBeGreaterThanOrEqual(8)
  },
)

describe('a receiver that is not there', () => {
  const dead = 'http://127.0.0.1:1/'
  const take = (handled: string[]) =>
    serving(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      handled.push(JSON.parse(body).event)
      res.end()
    })

  it('is reported, when it registers first, and the others get their deliveries', async () => {
    const handled: string[] = []
    const url = await take(handled)
    const emulating = start(['emulate', ...FAST, '--count', '2'])
    const [, baseUrl] = await emulating.until(/Service at +(\S+)/)
    const client = createWebhookClient({ baseUrl, apiKey: API_KEY, allowInsecureLoopback: true })
    await client.create({ url: dead, events: ['instance.connected', 'message.received'] })
    await emulating.until(/Waiting for a receiver at 127/)
    await client.create({ url, events: ['instance.connected', 'message.received'] })
    const { code, out, err } = await emulating.ended
    expect(handled).toEqual(['instance.connected', 'message.received'])
    expect(err).toContain(
      `No receiver listens at ${new URL(dead).host}. Deliveries to it fail until`,
    )
    expect(out).toContain('4 deliveries in 4 requests, 2 delivered, 2 given up')
    expect(code).toBe(1)
  })

  it('is waited for, and then gets deliveries anyway', async () => {
    const handled: string[] = []
    const emulating = start(['emulate', '--rate', '20', '--retries', 'none', '--wait', '0.3'])
    const [, baseUrl] = await emulating.until(/Service at +(\S+)/)
    const client = createWebhookClient({ baseUrl, apiKey: API_KEY, allowInsecureLoopback: true })
    await client.create({ url: dead, events: EVENTS })
    await emulating.until(/nothing listens at/)
    await client.create({ url: await take(handled), events: EVENTS })
    await expect.poll(() => handled.length).toBeGreaterThan(2)
    emulating.interrupt()
    expect((await emulating.ended).err).toContain('No receiver listens at 127')
  })
})
