import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signDelivery } from '@webhook-receiver/core/testing'
import { writeCapture } from '@webhook-receiver/quarantine/internal'
import { expect, it } from 'vitest'
import { printable } from '../src/console/printable.ts'
import { spawnCli } from './command-line.ts'
import { folder } from './folder.ts'
import { invoke, listening, SECRET, words } from './invoke.ts'
import { OPENSSL, respondingWith, servingSecurely } from './receiver.ts'
import { RANGES, STEERING, steering } from './steering.ts'

// `transcripts/unprintable.txt` has what steers a terminal in arguments, files and responses.

it('escapes every character that a terminal interprets or does not show', () => {
  for (const [first, last] of RANGES) {
    for (let code = first; code <= last; code++) {
      const shown = printable(`a${String.fromCodePoint(code)}b`)
      expect(shown).toMatch(/^a(?:\\u[\da-f]{4}){1,2}b$/)
      expect(JSON.parse(`"${shown}"`)).toBe(`a${String.fromCodePoint(code)}b`)
    }
  }
})

it('leaves text and emoji as they are', () => {
  const text = ' ~ Grüße, 你好, नमस्ते, مرحبا 👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️ 1️⃣ \\u001b'
  expect(printable(text)).toBe(text)
})

it.each([
  ['a joiner between letters', 'a\u200db', 'a\\u200db'],
  ['a joiner at an end', '👋\u200d', '👋\\u200d'],
  ['a selector too many', '❤\ufe0f\ufe0f', '❤\ufe0f\\ufe0f'],
  ['half of a pair', '\ud83d', '\\ud83d'],
  ['a character of two halves', '\u{e0041}', '\\udb40\\udc41'],
])('escapes %s', (_, text, shown) => {
  expect(printable(text)).toBe(shown)
})

const SHOWN = 'a\\u001b[2J'

/** A valid delivery with the characters in each of its properties. */
async function plantedDelivery(secret: string) {
  const event = `${STEERING}\nFAKE`
  const inner = { instance_id: STEERING, event, timestamp: 'x', data: { [STEERING]: STEERING } }
  const { headers, body } = await signDelivery(secret, {
    ...{ id: STEERING, event, created_at: 'x', data: inner },
  })
  const { 'X-Webhook-Id': _, ...signed } = headers
  return { headers: signed, body }
}

it('deliveries steer no terminal: neither at listen, nor as captures at verify and replay', async () => {
  const save = join(await folder(), STEERING)
  const name = `A${STEERING}`
  const args = words`--count 3 --save ${save} --secret-env ${name},B`
  const listen = await listening(args, { [name]: SECRET, B: 'whsec_b' })
  for (const secret of [SECRET, 'whsec_other'])
    await fetch(listen.url, { method: 'POST', ...(await plantedDelivery(secret)) })
  const headers = { 'X-Webhook-Timestamp': '\u009b2J', 'X-Webhook-Signature': '\u009b2J\u00ad' }
  await fetch(listen.url, { method: 'POST', headers })
  const { out } = await listen.ended
  expect(out).toContain(SHOWN)
  expect(out).toMatch(/saved as .*a.u001b/)

  const [first = ''] = await readdir(save)
  await rename(join(save, first), join(save, `1${STEERING}\nFAKE.json`))
  await writeFile(join(save, `2${STEERING}\nFAKE.json`), 'no capture')
  const to = await respondingWith(200)
  for (const args of [
    ['verify', save],
    ['verify', '--json', save],
    ['replay', save, to],
  ]) {
    const { out, err } = await invoke(args)
    for (const number of [1, 2]) expect(out + err).toContain(`/${number}${SHOWN}`)
    expect(out + err).not.toMatch(/^FAKE|a bug in webhook-receiver/m)
  }
})

it.skipIf(!OPENSSL)('the name in the certificate of a receiver steers no terminal', async () => {
  const { url, cert } = await servingSecurely('/CN=a\u001b[2J', (_, res) => void res.end())
  const env = { WEBHOOK_SECRET: SECRET, NODE_EXTRA_CA_CERTS: cert }
  const { stdout } = await spawnCli(['send', 'message.read', url], env).ended
  expect(stdout).toMatch(/CN:\s+a\\u001b\[2J/)
})

it('the name of a secret that looks wrong steers no terminal', async () => {
  const file = join(await folder(), 'one.json')
  const head = { receivedAt: 0, method: 'POST', target: '/', httpVersion: '1.1', headers: [] }
  await writeFile(file, writeCapture({ ...head, body: Buffer.of() }))
  const name = `A${STEERING}`
  const args = words`verify ${file} --secret-env ${name},WEBHOOK_SECRET`
  const env = { WEBHOOK_SECRET: SECRET, [name]: 'not-prefixed' }
  const { stderr } = await spawnCli(args, env).ended
  expect(stderr).toContain(`"A${SHOWN}`)
  expect(steering(stderr)).toEqual([])
})
