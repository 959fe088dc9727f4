import { signDelivery } from '@webhook-receiver/core/testing'
import { expect, it } from 'vitest'
import { SECRET, start } from './invoke.ts'
import { serving } from './receiver.ts'

/** Reads the events of a page until the text is there. */
async function eventsUntil(url: string, text: string): Promise<string> {
  const end = new AbortController()
  const { body } = await fetch(`${url}api/events`, { signal: end.signal })
  let seen = ''
  for await (const chunk of body ?? []) {
    seen += Buffer.from(chunk).toString()
    if (seen.includes(text)) break
  }
  return seen
}

async function addressOf(command: ReturnType<typeof start>): Promise<string> {
  const [, url = ''] = await command.until(/Inspector +(\S+)/)
  return url
}

it('emulate --ui shows what is sent, stays after the scenario, and ends with Ctrl-C', async () => {
  const target = await serving(
    (req, res) => void req.resume().on('end', () => res.writeHead(204).end()),
  )
  const command = start(['emulate', '--ui', '--forward', target, '--count', '3', '--rate', '100'])
  const url = await addressOf(command)
  expect((await fetch(url)).status).toBe(200)
  const seen = await eventsUntil(url, '"n":3')
  expect(seen).toContain('"instance.connected"')
  expect(seen).not.toContain('whsec_')
  command.interrupt()
  const { code, out, err } = await command.ended
  expect([code, out]).toEqual([0, expect.stringContaining('3 deliveries in 3 requests')])
  expect(err).toMatch(/Inspector +http:\/\/127/)
  await expect(fetch(url)).rejects.toThrow()
})

it('listen --ui shows a valid request and a forged one', async () => {
  const command = start(['listen', '--port', '0', '--ui'])
  const url = await addressOf(command)
  const [, target = ''] = await command.until(/Listening on +(\S+)/)
  const { headers, body } = await signDelivery(SECRET, 'message.read')
  expect((await fetch(target, { method: 'POST', headers, body })).status).toBe(204)
  expect((await fetch(target, { method: 'POST', headers, body: 'x' })).status).toBe(401)
  const seen = await eventsUntil(url, 'signature_mismatch')
  expect(seen).toContain('"verdict":"valid"')
  expect(seen).not.toContain(SECRET)
  command.interrupt()
  expect((await command.ended).code).toBe(0)
})
