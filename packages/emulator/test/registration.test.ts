import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { emulate } from './running-emulator.ts'

const url = 'https://example.com/webhooks'
const events = ['message.received', 'message.read']
const right = { url, events }

async function post(
  baseUrl: string,
  body: unknown,
  { path = '/api/v1/webhooks', method = 'POST', authorization = 'Bearer local-key' } = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('the registration end point', () => {
  it('responds with the secret, which is shown this once', async () => {
    const emulator = await emulate()
    const message: unknown[] = []
    emulator.on('webhook', (webhook) => message.push(webhook))
    const response = await post(emulator.baseUrl, { url, events: [...events, 'message.read'] })
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url,
      events,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      secret: expect.stringMatching(/^whsec_[\w-]{32}$/),
    })
    const { secret, ...shown } = Object(response.body)
    expect(emulator.webhooks()).toEqual([shown])
    expect(message).toEqual([shown])
    expect(JSON.stringify([emulator.webhooks(), message, emulator])).not.toContain(secret)
  })

  it.each([
    '',
    'local-key',
    'Basic local-key',
    'Basic Bearer local-key',
    ', Bearer local-key',
    'Bearer',
    'Bearer local-key x',
    'Bearer local-ke',
    'Bearer local-key2',
    'Bearer ocal-key',
    'Bearer LOCAL-KEY',
  ])('responds with 401 to the authorization %j', async (authorization) => {
    const emulator = await emulate()
    const { status, headers, body } = await post(emulator.baseUrl, right, { authorization })
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(body).toMatchObject({ error: { code: 'unauthorized' } })
    expect(JSON.stringify(body)).not.toContain('local-key')
    expect(emulator.webhooks()).toEqual([])
  })

  it('takes the key that it made itself, and no other, with the scheme in any case', async () => {
    const { baseUrl, apiKey } = await emulate({ apiKey: undefined })
    for (const [authorization, status] of [
      ['Bearer local-key', 401],
      [`Bearer ${apiKey.slice(0, -1)}`, 401],
      [`bearer ${apiKey}`, 201],
    ] as const)
      expect((await post(baseUrl, right, { authorization })).status).toBe(status)
  })

  it.each([
    ['{"url":', 400, 'malformed_json', 'not JSON'],
    ['[]', 422, 'invalid_body', 'JSON object'],
    ['null', 422, 'invalid_body', 'JSON object'],
    [{ events }, 422, 'invalid_url', 'should be a string'],
    [{ url: 'example.com', events }, 422, 'invalid_url', 'not an absolute URL'],
    [{ url: 'https://exam\tple.com', events }, 422, 'invalid_url', 'not an absolute URL'],
    [{ url: 'http://example.com', events }, 422, 'invalid_url', 'https://'],
    [{ url: 'http://notlocalhost', events }, 422, 'invalid_url', 'https://'],
    [{ url: 'ftp://localhost', events }, 422, 'invalid_url', 'https://'],
    [{ url: 'https://a:b@example.com', events }, 422, 'invalid_url', 'no user name'],
    [{ url: 'https://example.com/#a', events }, 422, 'invalid_url', 'no fragment'],
    [{ url }, 422, 'invalid_events', 'at least one'],
    [{ url, events: [] }, 422, 'invalid_events', 'at least one'],
    [{ url, events: ['message.recieved'] }, 422, 'invalid_events', '"message.recieved"'],
    [{ url, events: [7] }, 422, 'invalid_events', '7'],
    ['x'.repeat(70_000), 413, 'body_too_large', '65536'],
  ])('rejects %j', async (body, status, code, message) => {
    const emulator = await emulate()
    const response = await post(emulator.baseUrl, body)
    expect(response).toMatchObject({ status, body: { error: { code } } })
    expect(JSON.stringify(response.body)).toContain(message.replaceAll('"', '\\"'))
    expect(emulator.webhooks()).toEqual([])
  })

  it.each(['http://localhost:1', 'http://x.localhost', 'http://127.0.0.1/a', 'http://[::1]:8080/'])(
    'takes %s, which is on this machine',
    async (local) => {
      const { baseUrl } = await emulate()
      expect((await post(baseUrl, { url: local, events })).status).toBe(201)
    },
  )

  it('says what it has instead of another path or method', async () => {
    const { baseUrl } = await emulate()
    expect(await post(baseUrl, {}, { path: '/api/v1/webhook' })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', message: expect.stringContaining('Use POST /api/v1') } },
    })
    const listed = await post(baseUrl, undefined, { method: 'GET' })
    expect([listed.status, listed.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await post(baseUrl, right, { path: '/api/v1/webhooks?a=1' })).status).toBe(201)
  })

  it('repeats at most 100 characters of an unknown event', async () => {
    const { baseUrl } = await emulate()
    const { body } = await post(baseUrl, { url, events: ['e'.repeat(500)] })
    expect(Object(body).error.message).toContain(`has "${'e'.repeat(99)}, which is not an event`)
  })

  it('survives a client that goes away in the middle of its request', async () => {
    const { baseUrl } = await emulate()
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    await new Promise<void>((resolve) => {
      socket.write(
        `POST /api/v1/webhooks HTTP/1.1\r\nHost: ${new URL(baseUrl).host}\r\nAuthorization: Bearer local-key\r\nContent-Length: 99\r\n\r\n{`,
        () => resolve(),
      )
    })
    socket.resetAndDestroy()
    expect((await post(baseUrl, right)).status).toBe(201)
  })
})

/** A registration with headers that `fetch` would not send. */
function postRaw(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}/api/v1/webhooks`, {
      method: 'POST',
      headers: { Authorization: 'Bearer local-key', ...headers },
    })
    sent.on('error', reject).on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode, body: JSON.parse(text) })
    })
    sent.end(JSON.stringify(right))
  })
}

describe('Host and Origin', () => {
  /** The port is written as PORT, since it is another one each time. */
  const withPort = (text: string, baseUrl: string) => text.replace('PORT', new URL(baseUrl).port)

  it.each([
    'evil.example:PORT',
    'localhost.evil.example:PORT',
    'evil-localhost:PORT',
    '127.0.0.1.evil.example:PORT',
    '0.0.0.0:PORT',
    '10.0.0.1:PORT',
    'localhost:1',
    'localhost',
    'localhost:PORT@evil.example',
    'localhost:PORT/',
    'a b',
  ])('responds with 421 to the host %j and registers nothing, key or not', async (name) => {
    const emulator = await emulate()
    const Host = withPort(name, emulator.baseUrl)
    const response = await postRaw(emulator.baseUrl, { Host })
    expect(response).toMatchObject({ status: 421, body: { error: { code: 'unknown_host' } } })
    expect(JSON.stringify(response.body)).toContain('--allow-host')
    const stranger = await postRaw(emulator.baseUrl, { Host, Authorization: '' })
    expect(stranger.status).toBe(421)
    expect(emulator.webhooks()).toEqual([])
  })

  it('responds with 421 to a request without a host', async () => {
    const { baseUrl } = await emulate()
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    socket.write('POST /api/v1/webhooks HTTP/1.0\r\nAuthorization: Bearer local-key\r\n\r\n')
    const [chunk] = await once(socket, 'data')
    socket.destroy()
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 421 /)
  })

  it.each(['localhost:PORT', 'LocalHost:PORT', '127.0.0.1:PORT', '[::1]:PORT', 'a.localhost:PORT'])(
    'takes the host %j',
    async (name) => {
      const { baseUrl } = await emulate()
      expect((await postRaw(baseUrl, { Host: withPort(name, baseUrl) })).status).toBe(201)
    },
  )

  it.each([
    ['emulator', 201],
    ['Emulator:8080', 201],
    ['gate.example:8443', 201],
    ['gate.example', 421],
    ['gate.example:8444', 421],
    ['tls.example:443', 201],
    ['tls.example', 421],
    ['emulator.example', 421],
  ])('responds to the host %j with %i where others are allowed', async (name, status) => {
    const { baseUrl } = await emulate({
      allowedHosts: ['emulator', 'gate.example:8443', 'tls.example:443'],
    })
    expect((await postRaw(baseUrl, { Host: name })).status).toBe(status)
  })

  it.each([
    'https://evil.example',
    'http://evil.example:PORT',
    'http://localhost:3000',
    'http://localhost',
    'http://localhost:PORT.evil.example',
    'null',
    '',
  ])('responds with 403 to the origin %j and registers nothing', async (page) => {
    const emulator = await emulate()
    const Host = withPort('localhost:PORT', emulator.baseUrl)
    const Origin = withPort(page, emulator.baseUrl)
    const response = await postRaw(emulator.baseUrl, { Host, Origin })
    expect(response).toMatchObject({ status: 403, body: { error: { code: 'foreign_origin' } } })
    expect(emulator.webhooks()).toEqual([])
  })

  it('takes its own origin', async () => {
    const { baseUrl } = await emulate()
    const [Host, Origin] = ['localhost:PORT', 'http://localhost:PORT'].map((text) =>
      withPort(text, baseUrl),
    )
    expect((await postRaw(baseUrl, { Host: String(Host), Origin: String(Origin) })).status).toBe(
      201,
    )
  })

  it('takes the address on which it listens as its host', async () => {
    const { baseUrl } = await emulate({ host: '0.0.0.0' })
    expect((await post(baseUrl, right)).status).toBe(201)
    const Host = withPort('0.0.0.0:PORT', baseUrl)
    expect((await postRaw(baseUrl, { Host })).status).toBe(421)
  })
})

describe('the number of webhooks', () => {
  it('ends at 100, with 409 and what to do', async () => {
    const emulator = await emulate()
    for (let made = 0; made < 100; made++) {
      expect((await post(emulator.baseUrl, right)).status).toBe(201)
    }
    const response = await post(emulator.baseUrl, right)
    expect(response).toMatchObject({ status: 409, body: { error: { code: 'too_many_webhooks' } } })
    expect(() => emulator.register(right)).toThrow('already has 100 webhooks, which is its limit')
    expect(emulator.webhooks()).toHaveLength(100)
  })
})
