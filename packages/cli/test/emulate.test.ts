import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createWebhookClient } from '@webhook-receiver/client'
import { EVENTS } from '@webhook-receiver/core'
import { describe, expect, it } from 'vitest'
import { findScheme } from '../src/options/find-scheme.ts'
import { folder } from './folder.ts'
import { API_KEY, invoke, start } from './invoke.ts'
import { receiver, serving } from './receiver.ts'
import { recordingOf } from './recorded.ts'

const FAST = ['--rate', '500', '--retries', 'none']

describe('the secret', () => {
  const forward = ['emulate', '--forward', 'http://localhost:1/', '--scenario', 'none']

  it('stays the same from run to run where nobody has set one, for its owner alone', async () => {
    const cache = await folder()
    const env = { WEBHOOK_SECRET: undefined, XDG_CACHE_HOME: cache }
    const secrets: string[] = []
    for (const scheme of [[], [], ['--scheme', 'stripe'], ['--scheme', 'svix']]) {
      const emulating = start([...forward, ...scheme], { env })
      const [, path = ''] = await emulating.until(/cat (\S+)\)/)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      secrets.push((await readFile(path, 'utf8')).trim())
      emulating.interrupt()
      const { code, out, err } = await emulating.ended
      expect(code).toBe(0)
      expect(out + err).not.toContain('whsec_')
    }
    expect(new Set(secrets).size).toBe(3)
    expect(secrets[0]).toBe(secrets[1])
    await writeFile(join(cache, 'webhook-receiver/svix.secret'), '')
    const { code, err } = await invoke([...forward, '--scheme', 'svix'], { env })
    expect([code, err.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining('is empty.')])
  })

  it('is read and never written by --secret-file', async () => {
    const path = join(await folder(), 'secret')
    await writeFile(path, 'whsec_dear-51d0\n')
    const emulating = start([...forward, '--secret-file', path])
    await emulating.until(/Server needs\s+export WEBHOOK_SECRET="\$\(cat /)
    emulating.interrupt()
    expect((await emulating.ended).code).toBe(0)
    expect(await readFile(path, 'utf8')).toBe('whsec_dear-51d0\n')
  })
})

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

it('takes a rejected mistake of the sender for right, and asks for no other secret', async () => {
  const { scheme } = await findScheme('stripe')
  const { secret } = recordingOf('stripe')
  const { url } = await receiver(secret, { scheme })
  const faults = '--faults message_body_alone --fault-rate 1 --count 2'.split(' ')
  const args = ['--scheme', 'stripe', '--events', 'one', ...faults, ...FAST]
  const env = { WEBHOOK_SECRET: secret }
  const result = await invoke(['emulate', '--forward', url, ...args], { env })
  expect(result.out).toMatch(/✓ 401 .*message_body_alone/)
  expect(result.err).not.toContain('has another secret')
})

it('takes 404 for no proof that a forged request was rejected', async () => {
  let count = 0
  const url = await serving((req, res) => {
    count += 1
    req.resume().on('end', () => res.writeHead(count === 1 ? 404 : 204).end())
  })
  const faults = '--faults tamper --fault-rate 1 --count 1'.split(' ')
  const { code, out, err } = await invoke(['emulate', '--forward', url, ...faults, ...FAST])
  expect(out).toMatch(/✗ 404 .* tamper: proves nothing\n/)
  expect(out).toContain('1 delivery in 2 requests, 1 delivered.')
  expect([code, err]).toEqual([1, expect.stringContaining('proves nothing (404, 405)')])
})

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
