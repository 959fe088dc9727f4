import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { emulate } from './running-emulator.ts'

const url = 'https://example.com/webhooks'
const events = ['message.received', 'message.read']
const right = { url, events }

/** Registers a webhook with headers that `fetch` would not send. In them, PORT is the port of the emulator. */
async function post(
  baseUrl: string,
  body: unknown,
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
  const { body, ...head } = await post(emulator.baseUrl, { url, events: [...events, events[1]] })
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
  const { body, ...head } = await post(emulator.baseUrl, right, { Authorization })
  expect(head).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
  expect(body).toMatchObject({ error: { code: 'unauthorized' } })
  expect(JSON.stringify(body)).not.toContain('local-key')
  expect(emulator.webhooks()).toEqual([])
})

it('takes the key that it made itself, and no other, with the scheme in any case', async () => {
  const { baseUrl, apiKey } = await emulate({ apiKey: undefined })
  for (const [Authorization, status] of [
    ['Bearer local-key', 401],
    [`Bearer ${apiKey.slice(0, -1)}`, 401],
    [`bearer ${apiKey}`, 201],
  ] as const)
    expect((await post(baseUrl, right, { Authorization })).status).toBe(status)
})

it.each([
  ['{"url":', 400, 'malformed_json', 'not JSON'],
  ['[]', 422, 'invalid_body', 'JSON object'],
  ['null', 422, 'invalid_body', 'JSON object'],
  [{ events }, 422, 'invalid_url', 'should be a string'],
  [{ url: 'example.com', events }, 422, 'invalid_url', 'not an absolute URL'],
  [{ url: 'https://exam\tple.com', events }, 422, 'invalid_url', 'not an absolute URL'],
  [{ url: 'http://notlocalhost', events }, 422, 'invalid_url', 'https://'],
  [{ url: 'ftp://localhost', events }, 422, 'invalid_url', 'https://'],
  [{ url: 'https://a:b@example.com', events }, 422, 'invalid_url', 'no user name'],
  [{ url: 'https://example.com/#a', events }, 422, 'invalid_url', 'no fragment'],
  [{ url }, 422, 'invalid_events', 'at least one'],
  [{ url, events: [] }, 422, 'invalid_events', 'at least one'],
  [{ url, events: [7] }, 422, 'invalid_events', '7'],
  // No more of it is repeated.
  [{ url, events: ['e'.repeat(500)] }, 422, 'invalid_events', `has "${'e'.repeat(99)}, which is`],
  ['x'.repeat(70_000), 413, 'body_too_large', '65536'],
])('rejects %j', async (body, status, code, message) => {
  const emulator = await emulate()
  const response = await post(emulator.baseUrl, body)
  const error = { code, message: expect.stringContaining(message) }
  expect(response).toMatchObject({ status, body: { error } })
  expect(emulator.webhooks()).toEqual([])
})

it.each(['http://localhost:1', 'http://x.localhost', 'http://127.0.0.1/a', 'http://[::1]:8080/'])(
  'takes %s, which is on this machine',
  async (local) => {
    const { baseUrl } = await emulate()
    expect((await post(baseUrl, { url: local, events })).status).toBe(201)
  },
)

it.each([
  ['evil.example:PORT', 421],
  ['localhost.evil.example:PORT', 421],
  ['evil-localhost:PORT', 421],
  ['127.evil.example:PORT', 421],
  ['localhost', 421],
  ['localhost:PORT@evil.example', 421],
  ['a b', 421],
  ['gate.example:8444', 421],
  ['tls.example', 421],
  ['emulator.example', 421],
  ['LocalHost:PORT', 201],
  ['[::1]:PORT', 201],
  ['a.localhost:PORT', 201],
  ['Emulator:8080', 201],
  ['gate.example:8443', 201],
  ['tls.example:443', 201],
])('responds to the host %j with %i, where others are allowed', async (Host, status) => {
  const allowedHosts = ['emulator', 'gate.example:8443', 'tls.example:443']
  const emulator = await emulate({ allowedHosts })
  const response = await post(emulator.baseUrl, right, { Host })
  expect(response.status).toBe(status)
  expect(emulator.webhooks()).toHaveLength(status === 201 ? 1 : 0)
  if (status === 201) return
  const message = expect.stringContaining('--allow-host')
  expect(response.body).toMatchObject({ error: { code: 'unknown_host', message } })
  expect((await post(emulator.baseUrl, right, { Host, Authorization: '' })).status).toBe(421)
})

it('allows no host by default, none that is missing, and that on which it listens', async () => {
  const { baseUrl } = await emulate()
  expect((await post(baseUrl, right, { Host: 'emulator' })).status).toBe(421)
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  socket.end('POST /api/v1/webhooks HTTP/1.0\r\nAuthorization: Bearer local-key\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 421 /)
  const everywhere = await emulate({ host: '0.0.0.0' })
  expect((await post(everywhere.baseUrl, right)).status).toBe(201)
  expect((await post(everywhere.baseUrl, right, { Host: '0.0.0.0:PORT' })).status).toBe(421)
})

it.each([
  ['http://evil.example:PORT', 403],
  ['http://localhost:3000', 403],
  ['http://localhost:PORT.evil.example', 403],
  ['null', 403],
  ['', 403],
  ['http://localhost:PORT', 201],
])('responds to the origin %j with %i', async (Origin, status) => {
  const emulator = await emulate()
  const response = await post(emulator.baseUrl, right, { Host: 'localhost:PORT', Origin })
  expect(response.status).toBe(status)
  if (status === 403) expect(response.body).toMatchObject({ error: { code: 'foreign_origin' } })
  expect(emulator.webhooks()).toHaveLength(status === 201 ? 1 : 0)
})

it('has 100 webhooks at most, and says with 409 what to do', async () => {
  const emulator = await emulate()
  for (let made = 0; made < 100; made++) emulator.register(right)
  const response = await post(emulator.baseUrl, right)
  expect(response).toMatchObject({ status: 409, body: { error: { code: 'too_many_webhooks' } } })
  expect(() => emulator.register(right)).toThrow('already has 100 webhooks, which is its limit')
  expect(emulator.webhooks()).toHaveLength(100)
})
