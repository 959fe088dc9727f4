import { json } from 'node:stream/consumers'
import { createWebhookClient } from '@webhook-receiver/client'
import { EVENTS } from '@webhook-receiver/core'
import { describe, expect, it } from 'vitest'
import { API_KEY, invoke, start, words } from './invoke.ts'
import { receiverOf, serving } from './receiver.ts'
import { recordingOf } from './recorded.ts'

const FAST = words`--rate 500 --retries none`

it.each(['stripe', 'github', 'svix'])(
  'sends deliveries of %s that its receiver accepts, and tampered ones that it rejects',
  async (name) => {
    const { secret } = recordingOf(name)
    const { url, deliveries, flags } = await receiverOf(name, secret)
    const faults = '--faults tamper,wrong-secret,duplicate --fault-rate 0.8 --seed 3'.split(' ')
    const long = 'customer.subscription.deleted'
    const args = words`${flags} --events one,${long} --count 8 ${faults} ${FAST}`
    const env = { WEBHOOK_SECRET: secret }
    const { code, out } = await invoke(words`emulate --forward ${url} ${args}`, { env })
    const counts =
      /8 of 8 deliveries accepted, (\d) of \1 forged requests rejected \(1\d requests\)/
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
      handled.push(Object(await json(req)).event)
      res.end()
    })

  /** Starts an emulator, and what registers at it. */
  async function emulating(...args: readonly string[]) {
    const running = start(['emulate', ...args])
    const [, baseUrl] = await running.until(/Service at +(\S+)/)
    const client = createWebhookClient({ baseUrl, apiKey: API_KEY, allowInsecureLoopback: true })
    return { ...running, register: client.create.bind(client) }
  }

  it('is reported, when it registers first, and the others get their deliveries', async () => {
    const handled: string[] = []
    const url = await take(handled)
    const events = ['instance.connected', 'message.received'] as const
    const { register, until, ended } = await emulating(...FAST, '--count', '2')
    await register({ url: dead, events })
    await until(/Waiting for a receiver at 127/)
    await register({ url, events })
    const { code, out, err } = await ended
    expect(handled).toEqual(events)
    expect(err).toContain(
      `No receiver listens at ${new URL(dead).host}. Deliveries to it fail until`,
    )
    expect(out).toContain('2 of 4 deliveries accepted, 2 given up (4 requests)')
    expect(code).toBe(1)
  })

  it('is waited for, and then gets deliveries anyway', async () => {
    const handled: string[] = []
    const args = words`--rate 20 --retries none --wait 0.3`
    const { register, until, ...running } = await emulating(...args)
    await register({ url: dead, events: EVENTS })
    await until(/nothing listens at/)
    await register({ url: await take(handled), events: EVENTS })
    await expect.poll(() => handled.length).toBeGreaterThan(2)
    running.interrupt()
    expect((await running.ended).err).toContain('No receiver listens at 127')
  })
})
