import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { signDelivery } from '@webhook-receiver/core/testing'
import { expect, it } from 'vitest'
import { folder } from './folder.ts'
import { type Invocation, invoke, SECRET, start } from './invoke.ts'

async function listening(
  args: readonly string[],
  circumstances: Parameters<typeof start>[1] = {},
): Promise<Invocation & { readonly url: string }> {
  const listener = start(['listen', '--port', '0', ...args], circumstances)
  const [, url = ''] = await listener.until(/Listening on +(\S+)\s/)
  return { ...listener, url }
}

async function post(url: string, secret: string = SECRET, event = 'message.received') {
  const { headers, body } = await signDelivery(secret, event)
  return fetch(`${url}/webhooks?a=1`, { method: 'POST', headers, body })
}

it('responds with 204 to what is valid and shows it', async () => {
  const listener = await listening([])
  expect((await post(listener.url)).status).toBe(204)
  listener.interrupt()
  const { code, out, err } = await listener.ended
  expect(code).toBe(0)
  expect(out).toMatch(/^\d\d:\d\d:\d\d {2}204 {2}message\.received +\d+ ms {2}\S{8} {2}inst_01\n/)
  expect(out).toContain('"text":"Hi 👋🏽')
  expect(err).toContain('1 request, 1 valid.')
})

it('rejects what is not, and says why to the person alone', async () => {
  const listener = await listening(['--count', '2'])
  const response = await post(listener.url, SECRET.slice(0, -1))
  expect(response.status).toBe(401)
  expect(await response.text()).toBe('')
  expect((await fetch(listener.url)).status).toBe(405)
  const { code, out } = await listener.ended
  expect(code).toBe(0)
  expect(out).toMatch(/ {2}401 {2}POST \S+ +\d+ ms {2}signature_mismatch\n/)
  expect(out).toContain('unknown (possible)')
  expect(out).toMatch(/ {2}405 {2}GET \/ +\d+ ms {2}method_not_allowed\n/)
})

it('names the cause where the signature shows it', async () => {
  const listener = await listening(['--count', '1', '--json'])
  await post(listener.url, SECRET.replace('whsec_', ''))
  const { json } = await listener.ended
  expect(json).toMatchObject([
    {
      valid: false,
      status: 401,
      reason: 'signature_mismatch',
      diagnosis: [{ certainty: 'certain', code: expect.stringMatching(/^secret_prefix/) }],
    },
  ])
})

it('diagnoses a body of up to 256 KiB, and says what to do about a larger one', async () => {
  const listener = await listening(['--count', '2', '--json'])
  for (const length of [262_144, 262_145]) {
    const headers = {
      'X-Webhook-Timestamp': String(Math.floor(Date.now() / 1000)),
      'X-Webhook-Signature': `sha256=${'0'.repeat(64)}`,
    }
    const body = 'x'.repeat(length)
    expect((await fetch(listener.url, { method: 'POST', headers, body })).status).toBe(401)
  }
  const { json } = await listener.ended
  expect(json).toMatchObject([
    { reason: 'signature_mismatch', diagnosis: [{ code: 'unknown' }] },
    {
      reason: 'signature_mismatch',
      diagnosis: [],
      detail: expect.stringContaining('save the request with --save and run verify on the file'),
    },
  ])
})

it('tells which of several secrets it was', async () => {
  const args = ['--count', '2', '--secret-env', 'WEBHOOK_SECRET,OLD']
  const listener = await listening(args, { env: { OLD: 'whsec_old' } })
  await post(listener.url, 'whsec_old')
  await post(listener.url)
  const { out } = await listener.ended
  expect(out).toContain('(verified with OLD)')
  expect(out).toContain('(verified with WEBHOOK_SECRET)')
})

it('marks an event that is not known', async () => {
  const listener = await listening(['--count', '1'])
  await post(listener.url, SECRET, 'message.\u001b[31mreacted')
  expect((await listener.ended).out).toMatch(/message\.\\u001b\[31mreacted .* \(an unknown event\)/)
})

it('verifies nothing with --no-verify, and needs no secret', async () => {
  const listener = await listening(['--count', '1', '--no-verify', '--json'], {
    env: { WEBHOOK_SECRET: undefined },
  })
  expect((await post(listener.url, 'whsec_other')).status).toBe(204)
  const { json, err } = await listener.ended
  expect(json).toMatchObject([{ status: 204, method: 'POST' }])
  expect(json[0]).not.toHaveProperty('valid')
  expect(err).toContain('1 request.')
})

it('cuts long content short', async () => {
  const listener = await listening(['--count', '1'])
  const { headers, body } = await signDelivery(SECRET, {
    id: '1',
    event: 'message.read',
    created_at: 'now',
    data: {
      instance_id: 'i',
      event: 'message.read',
      timestamp: 'now',
      data: { x: 'y'.repeat(900) },
    },
  })
  await fetch(listener.url, { method: 'POST', headers, body })
  expect((await listener.ended).out).toMatch(/y{300,400}…\n/)
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

it('responds with 500 where a request cannot be kept', async () => {
  const directory = join(await folder(), 'captures')
  const listener = await listening(['--save', directory, '--count', '1'])
  await rm(directory, { recursive: true })
  expect((await post(listener.url)).status).toBe(500)
  const { out } = await listener.ended
  expect(out).toContain('The request could not be saved: ENOENT')
  await chmod(await folder(), 0o700)
})

it('does not take a body above its limit', async () => {
  const listener = await listening(['--limit', '10', '--count', '1'])
  const response = await fetch(listener.url, { method: 'POST', body: 'x'.repeat(11) })
  expect(response.status).toBe(413)
  expect((await listener.ended).out).toContain('more than 10 bytes: raise --limit')
})

it('tells of a sender that goes away', async () => {
  const listener = await listening(['--count', '1'])
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
  socket.end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf', () =>
    setTimeout(() => socket.destroy(), 50),
  )
  const { out } = await listener.ended
  expect(out).toMatch(/--- {2}POST \/ +\d+ ms {2}body_incomplete\n {2}The sender disconnected/)
})

it('says that a port is taken: 1', async () => {
  const listener = await listening([])
  const { code, err } = await invoke(['listen', '--port', new URL(listener.url).port])
  expect(code).toBe(1)
  expect(err).toMatch(/^Port \d+ of 127\.0\.0\.1 is in use\. Use another --port/)
  listener.interrupt()
  await listener.ended
})

it.each([
  ['whsec_x ', /white space/],
  ['"whsec_x"', /quotes/],
])('rejects the secret %j at once: 2', async (secret, message) => {
  const { code, err } = await invoke(['listen'], { env: { WEBHOOK_SECRET: secret } })
  expect(code).toBe(2)
  expect(err).toMatch(message)
})

it('asks for the secret where there is none', async () => {
  const { code, err } = await invoke(['listen'], { env: { WEBHOOK_SECRET: '' } })
  expect(code).toBe(2)
  expect(err).toContain('set WEBHOOK_SECRET in the environment')
})

it.each([
  ['HOOK_KEY', 'set HOOK_KEY in the environment'],
  ['WEBHOOK_SECRET,HOOK_KEY', 'The environment variable HOOK_KEY is not set'],
])('names the variable that is missing: --secret-env %s', async (names, message) => {
  const { code, err } = await invoke(['listen', '--secret-env', names])
  expect(code).toBe(2)
  expect(err).toContain(message)
})

it('shows none of several secrets where none fits', async () => {
  const args = ['--count', '1', '--secret-env', 'WEBHOOK_SECRET,OLD']
  const listener = await listening(args, { env: { OLD: 'whsec_old' } })
  await post(listener.url, 'whsec_neither')
  const { out } = await listener.ended
  expect(out).toMatch(/ {2}401 {2}POST \S+ +\d+ ms {2}signature_mismatch\n/)
  expect(out).not.toContain('whsec_old')
})
