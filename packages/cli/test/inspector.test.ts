import { signDelivery } from '@webhook-receiver/core/testing'
import { expect, it } from 'vitest'
import { type Invocation, listening, SECRET, start, words } from './invoke.ts'
import { respondingWith } from './receiver.ts'
import { recordingOf, saved } from './recorded.ts'

/** Reads the events of a page until the text is there. */
async function eventsUntil(url: string, text: string) {
  const end = new AbortController()
  const { body } = await fetch(`${url}api/events`, { signal: end.signal })
  let seen = ''
  for await (const chunk of body ?? []) {
    seen += Buffer.from(chunk).toString()
    if (seen.includes(text)) break
  }
  return seen
}

async function addressOf(command: Invocation) {
  const [, url = ''] = await command.until(/Inspector +(\S+)/)
  return url
}

it('emulate --ui shows what is sent, stays after the scenario, and ends with Ctrl-C', async () => {
  const target = await respondingWith(204)
  const command = start(words`emulate --ui --forward ${target} --count 3 --rate 100`)
  const url = await addressOf(command)
  expect((await fetch(url)).status).toBe(200)
  const seen = await eventsUntil(url, '"n":3')
  expect(seen).toContain('"instance.connected"')
  expect(seen).not.toContain('whsec_')
  command.interrupt()
  const { code, out, err } = await command.ended
  expect([code, out]).toEqual([0, expect.stringContaining('of 3 deliveries accepted')])
  expect(err).toMatch(/Inspector +http:\/\/127/)
  await expect(fetch(url)).rejects.toThrow()
})

it('inspect shows saved requests until Ctrl-C', async () => {
  const { secret, options, ...capture } = recordingOf('stripe')
  const env = { WEBHOOK_SECRET: secret }
  const command = start(['inspect', await saved(capture), ...options], { env })
  const url = await addressOf(command)
  expect(await eventsUntil(url, '"n":1')).toContain('/webhooks')
  command.interrupt()
  expect((await command.ended).code).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
})

it('listen --ui shows a valid request and a forged one', async () => {
  const command = await listening(['--ui'])
  const url = await addressOf(command)
  const { headers, body } = await signDelivery(SECRET, 'message.read')
  expect((await fetch(command.url, { method: 'POST', headers, body })).status).toBe(204)
  expect((await fetch(command.url, { method: 'POST', headers, body: 'x' })).status).toBe(401)
  const seen = await eventsUntil(url, 'signature_mismatch')
  expect(seen).toContain('"verdict":"valid"')
  expect(seen).not.toContain(SECRET)
  command.interrupt()
  expect((await command.ended).code).toBe(0)
})
