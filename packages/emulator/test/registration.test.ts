import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { Emulator } from '../src/index.ts'
import { emulate } from './running-emulator.ts'

const url = 'https://example.com/webhooks'
const events = ['message.received', 'message.read']
const right = { url, events }

/** Registers a webhook with headers that `fetch` would not send. In them, PORT is the port of the emulator. */
async function post(
  { baseUrl }: Emulator,
  body: unknown = right,
  headers: Readonly<Record<string, string>> = {},
) {
  const { port } = new URL(baseUrl)
  const sent = request(`${baseUrl}/api/v1/webhooks`, { method: 'POST' })
  for (const [name, value] of Object.entries({ Authorization: 'Bearer local-key', ...headers }))
    sent.setHeader(name, value.replace('PORT', port))
  const responded = once(sent, 'response')
  // The server closes the connection when a body is too large.
  sent.on('error', () => {}).end(typeof body === 'string' ? body : JSON.stringify(body))
  const [response] = await responded
  const content: unknown = JSON.parse(await text(response))
  return { status: response.statusCode, headers: response.headers, body: content }
}

it('responds with the secret, which is shown this once', async () => {
  const emulator = await emulate()
  const noticed: unknown[] = []
  emulator.on('webhook', (webhook) => noticed.push(webhook))
  const { body, ...head } = await post(emulator, { url, events: [...events, events[1]] })
  expect(head).toMatchObject({ status: 201, headers: { 'content-type': 'application/json' } })
  expect(body).toEqual({
    ...{ url, events, id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    secret: expect.stringMatching(/^whsec_[\w-]{32}$/),
  })
  const { secret, ...shown } = Object(body)
  expect([emulator.webhooks(), noticed]).toEqual([[shown], [shown]])
  expect(JSON.stringify([shown, emulator])).not.toContain(secret)
})

it.each([
  '',
  'local-key',
  'Basic Bearer local-key',
  'Bearer local-key x',
  'Bearer local-ke',
  'Bearer LOCAL-KEY',
])('responds with 401 to the authorization %j', async (Authorization) => {
  const emulator = await emulate()
  const { body, ...head } = await post(emulator, right, { Authorization })
  expect(head).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
  expect(body).toMatchObject({ error: { code: 'unauthorized' } })
  expect(JSON.stringify(body)).not.toContain('local-key')
  expect(emulator.webhooks()).toEqual([])
})

it('takes the key that it made itself, and no other, with the scheme in any case', async () => {
  const emulator = await emulate({ apiKey: undefined })
  const statusOf = async (Authorization: string) =>
    (await post(emulator, right, { Authorization })).status
  expect(await statusOf('Bearer local-key')).toBe(401)
  expect(await statusOf(`Bearer ${emulator.apiKey.slice(0, -1)}`)).toBe(401)
  expect(await statusOf(`bearer ${emulator.apiKey}`)).toBe(201)
})

it.each<[body: unknown, code: string, message: string, status?: number]>([
  ['{"url":', 'malformed_json', 'not JSON', 400],
  ['[]', 'invalid_body', 'JSON object'],
  ['null', 'invalid_body', 'JSON object'],
  ...[
    [undefined, 'should be a string'],
    ['example.com', 'not an absolute URL'],
    ['https://exam\tple.com', 'not an absolute URL'],
    ['http://notlocalhost', 'https://'],
    ['ftp://localhost', 'https://'],
    ['https://a:b@example.com', 'no user name'],
    ['https://example.com/#a', 'no fragment'],
  ].map(([wrong, says = '']): [object, string, string] => [
    ...([{ url: wrong, events }, 'invalid_url', says] as const),
  ]),
  [{ url }, 'invalid_events', 'at least one'],
  [{ url, events: [] }, 'invalid_events', 'at least one'],
  [{ url, events: [7] }, 'invalid_events', '7'],
  // No more of it is repeated.
  [{ url, events: ['e'.repeat(500)] }, 'invalid_events', `has "${'e'.repeat(99)}, which is`],
  ['x'.repeat(70_000), 'body_too_large', '65536', 413],
])('rejects %j', async (body, code, message, status = 422) => {
  const emulator = await emulate()
  const response = await post(emulator, body)
  const error = { code, message: expect.stringContaining(message) }
  expect(response).toMatchObject({ status, body: { error } })
  expect(emulator.webhooks()).toEqual([])
})

it.each(['http://localhost:1', 'http://x.localhost', 'http://127.0.0.1/a', 'http://[::1]:8080/'])(
  'takes %s, which is on this machine',
  async (local) => {
    expect((await post(await emulate(), { url: local, events })).status).toBe(201)
  },
)

const SENDERS = [
  [
    ...(['Host', 421] as const),
    [
      ...['evil.example:PORT', 'localhost.evil.example:PORT', 'evil-localhost:PORT'],
      ...['127.evil.example:PORT', 'localhost', 'localhost:PORT@evil.example', 'a b'],
      ...['gate.example:8444', 'tls.example', 'emulator.example'],
    ],
  ],
  [
    ...(['Host', 201] as const),
    [
      ...['LocalHost:PORT', '[::1]:PORT', 'a.localhost:PORT', 'Emulator:8080'],
      ...['gate.example:8443', 'tls.example:443'],
    ],
  ],
  [
    ...(['Origin', 403] as const),
    [
      ...['http://evil.example:PORT', 'http://localhost:3000', 'null', ''],
      'http://localhost:PORT.evil.example',
    ],
  ],
  ['Origin', 201, ['http://localhost:PORT']],
] as const

it.each(
  SENDERS.flatMap(([name, status, values]) =>
    values.map((value) => [name, value, status] as const),
  ),
)('responds to the %s %j with %i, where others are allowed', async (name, value, status) => {
  const allowedHosts = ['emulator', 'gate.example:8443', 'tls.example:443']
  const emulator = await emulate({ allowedHosts })
  const headers = { Host: 'localhost:PORT', [name]: value }
  const response = await post(emulator, right, headers)
  expect(response.status).toBe(status)
  expect(emulator.webhooks()).toHaveLength(status === 201 ? 1 : 0)
  if (status === 403) expect(response.body).toMatchObject({ error: { code: 'foreign_origin' } })
  if (status !== 421) return
  const message = expect.stringContaining('--allow-host')
  expect(response.body).toMatchObject({ error: { code: 'unknown_host', message } })
  expect((await post(emulator, right, { ...headers, Authorization: '' })).status).toBe(421)
})

it('allows no host by default, none that is missing, and that on which it listens', async () => {
  const emulator = await emulate()
  expect((await post(emulator, right, { Host: 'emulator' })).status).toBe(421)
  const socket = connect(Number(new URL(emulator.baseUrl).port), '127.0.0.1')
  socket.end('POST /api/v1/webhooks HTTP/1.0\r\nAuthorization: Bearer local-key\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 421 /)
  const everywhere = await emulate({ host: '0.0.0.0' })
  expect((await post(everywhere)).status).toBe(201)
  expect((await post(everywhere, right, { Host: '0.0.0.0:PORT' })).status).toBe(421)
})

it('has 100 webhooks at most, and says with 409 what to do', async () => {
  const emulator = await emulate()
  for (let made = 0; made < 100; made++) emulator.register(right)
  const response = await post(emulator)
  expect(response).toMatchObject({ status: 409, body: { error: { code: 'too_many_webhooks' } } })
  expect(() => emulator.register(right)).toThrow('already has 100 webhooks, which is its limit')
  expect(emulator.webhooks()).toHaveLength(100)
})
