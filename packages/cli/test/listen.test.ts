import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { folder } from './folder.ts'
import { invoke, listening, SECRET, words } from './invoke.ts'
import { recordingOf } from './recorded.ts'

const FORGED = {
  'X-Webhook-Timestamp': String(Math.floor(Date.now() / 1000)),
  'X-Webhook-Signature': `sha256=${'0'.repeat(64)}`,
}

it.each([
  ['a variable', ['--secret-env', 'ORDERS_KEY,OLD_KEY']],
  ['a file', ['--secret-file', "the team's key"]],
])('prints a command to try, which signs with the secret from %s', async (_, flags) => {
  const env = { ORDERS_KEY: SECRET, OLD_KEY: 'whsec_old' }
  const place = await folder()
  await writeFile(join(place, "the team's key"), SECRET)
  const given = flags.map((flag) => (flag.startsWith('the') ? join(place, flag) : flag))
  const listener = await listening(words`--count 1 ${given}`, env)
  const [, command = ''] = await listener.until(/Try\s+npx webhook-receiver (.*)\n/)
  const shown = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
  const { code, out } = await invoke(shown.trim().split('\n'), { env })
  expect([code, out]).toEqual([0, expect.stringContaining('accepted with 204')])
  expect((await listener.ended).code).toBe(0)
})

it('diagnoses a body of up to 256 KiB, and says what to do about a larger one', async () => {
  const listener = await listening(words`--count 2 --json`)
  for (const length of [262_144, 262_145])
    await fetch(listener.url, { method: 'POST', headers: FORGED, body: 'x'.repeat(length) })
  const detail = expect.stringContaining('with --save and run verify on the file')
  expect((await listener.ended).json).toMatchObject([
    { diagnosis: [{ code: 'unknown' }] },
    { diagnosis: [], detail },
  ])
})

it('responds to a handshake as the service expects', async () => {
  const { secret } = recordingOf('slack')
  const listener = await listening(words`--count 1 --json --scheme slack`, {
    WEBHOOK_SECRET: secret,
  })
  const body = '{"type":"url_verification","challenge":"abc"}'
  const time = `${Math.floor(Date.now() / 1000)}`
  const mac = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')
  const headers = { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${mac}` }
  const response = await fetch(listener.url, { method: 'POST', headers, body })
  expect([response.status, await response.text()]).toEqual([200, 'abc'])
  expect((await listener.ended).json).toMatchObject([{ valid: true, status: 200 }])
})

it('keeps up with a flood of forged requests: not each of them is diagnosed', async () => {
  const listener = await listening(words`--count 60 --scheme github --json`)
  const body = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [n, n])))
  const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
  const send = async () => (await fetch(listener.url, { method: 'POST', headers, body })).status
  const statuses = await Promise.all(Array.from({ length: 60 }, send))
  expect(new Set(statuses)).toEqual(new Set([401]))
  const { json } = await listener.ended
  const diagnosed = json.map(({ diagnosis }) => Array.isArray(diagnosis) && diagnosis.length > 0)
  expect(diagnosed).toHaveLength(60)
  expect(diagnosed[0]).toBe(true)
  expect(diagnosed).toContain(false)
  expect(diagnosed.at(-1)).toBe(true)
})

it('reads a body that is too large to its end, so that its sender sees the status', async () => {
  const listener = await listening(['--limit', '1000'])
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n`)
  // As many clients do, it writes the whole body before it reads.
  for (let sent = 0; sent < 40; sent++) {
    await new Promise((resolve) => socket.write(Buffer.alloc(100_000), resolve))
  }
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /)
  listener.interrupt()
  await listener.ended
})
