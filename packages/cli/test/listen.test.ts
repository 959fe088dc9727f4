import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { folder } from './folder.ts'
import { invoke, listening, SECRET } from './invoke.ts'
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
  const listener = await listening(['--count', '1', ...given], env)
  const [, command = ''] = await listener.until(/Try\s+npx webhook-receiver (.*)\n/)
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
  const { code, out } = await invoke(words.trim().split('\n'), { env })
  expect([code, out]).toEqual([0, expect.stringContaining('accepted with 204')])
  expect((await listener.ended).code).toBe(0)
})

it('diagnoses a body of up to 256 KiB, and says what to do about a larger one', async () => {
  const listener = await listening(['--count', '2', '--json'])
  for (const length of [262_144, 262_145])
    await fetch(listener.url, { method: 'POST', headers: FORGED, body: 'x'.repeat(length) })
  const detail = expect.stringContaining('with --save and run verify on the file')
  expect((await listener.ended).json).toMatchObject([
    { diagnosis: [{ code: 'unknown' }] },
    { diagnosis: [], detail },
  ])
})

it('keeps each request byte for byte, with the headers in their order and not the secret', async () => {
  const directory = join(await folder(), 'captures')
  const listener = await listening(['--save', directory, '--count', '1'])
  const body = Buffer.from([0x7b, 0xff, 0x00, 0x0d, 0x0a, 0x7d])
  const headers = [
    ['x-second', '2'],
    ['X-First', '1'],
    ['x-second', 'again'],
    ['X-Latin', 'caf\u00e9'],
  ]
  const { host } = new URL(listener.url)
  const lines = [['host', host], ...headers, ['Content-Length', String(body.length)]]
  await new Promise((resolve) => {
    request(`${listener.url}/a%20b?c`, { method: 'PUT', headers: lines.flat() }, resolve).end(body)
  })
  await listener.ended
  const [name = ''] = await readdir(directory)
  const text = await readFile(join(directory, name), 'utf8')
  expect(text).not.toContain(SECRET)
  expect(JSON.parse(text)).toMatchObject({
    method: 'PUT',
    target: '/a%20b?c',
    http_version: '1.1',
    headers: [...lines, ['Connection', expect.any(String)]],
    body: { base64: body.toString('base64') },
  })
  expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600)
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
})

it('responds to a handshake as the service expects', async () => {
  const { secret } = recordingOf('slack')
  const listener = await listening(['--count', '1', '--json', '--scheme', 'slack'], {
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
  const listener = await listening(['--count', '60', '--scheme', 'github', '--json'])
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
