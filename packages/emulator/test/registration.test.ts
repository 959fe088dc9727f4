import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { emulate } from './running-emulator.ts'

const url = 'https://example.com/webhooks'
const events = ['message.received', 'message.read']

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
  it('answers with the secret, which is told this once', async () => {
    const emulator = await emulate()
    const told: unknown[] = []
    emulator.on('webhook', (webhook) => told.push(webhook))
    const answer = await post(emulator.baseUrl, { url, events: [...events, 'message.read'] })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url,
      events,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      secret: expect.stringMatching(/^whsec_[\w-]{32}$/),
    })
    const { secret, ...shown } = Object(answer.body)
    expect(emulator.webhooks()).toEqual([shown])
    expect(told).toEqual([shown])
    expect(JSON.stringify([emulator.webhooks(), told, emulator])).not.toContain(secret)
  })

  it('gives each webhook a secret of its own', async () => {
    const { baseUrl } = await emulate({ seed: 7 })
    const [one, other] = [
      await post(baseUrl, { url, events }),
      await post(baseUrl, { url, events }),
    ]
    expect(Object(one.body).secret).not.toBe(Object(other.body).secret)
  })

  it.each(['', 'local-key', 'Basic local-key', 'Bearer', 'Bearer other-key', 'Bearer local-key x'])(
    'answers 401 to the authorization %j',
    async (authorization) => {
      const emulator = await emulate()
      const answer = await post(emulator.baseUrl, { url, events }, { authorization })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.body).toMatchObject({ error: { code: 'unauthorized' } })
      expect(JSON.stringify(answer.body)).not.toContain('local-key')
      expect(emulator.webhooks()).toEqual([])
    },
  )

  it('takes the scheme in any case', async () => {
    const { baseUrl } = await emulate()
    const answer = await post(baseUrl, { url, events }, { authorization: 'bearer local-key' })
    expect(answer.status).toBe(201)
  })

  it.each([
    ['{"url":', 400, 'malformed_json', 'not JSON'],
    ['[]', 422, 'invalid_body', 'JSON object'],
    ['null', 422, 'invalid_body', 'JSON object'],
    [{ events }, 422, 'invalid_url', 'should be a string'],
    [{ url: 'example.com', events }, 422, 'invalid_url', 'no absolute URL'],
    [{ url: 'https://exam\tple.com', events }, 422, 'invalid_url', 'no absolute URL'],
    [{ url: 'http://example.com', events }, 422, 'invalid_url', 'https://'],
    [{ url: 'ftp://localhost', events }, 422, 'invalid_url', 'https://'],
    [{ url: 'https://a:b@example.com', events }, 422, 'invalid_url', 'no user name'],
    [{ url: 'https://example.com/#a', events }, 422, 'invalid_url', 'no fragment'],
    [{ url }, 422, 'invalid_events', 'at least one'],
    [{ url, events: [] }, 422, 'invalid_events', 'at least one'],
    [{ url, events: ['message.recieved'] }, 422, 'invalid_events', '"message.recieved"'],
    [{ url, events: [7] }, 422, 'invalid_events', '7'],
    ['x'.repeat(70_000), 413, 'body_too_large', '65536'],
  ])('refuses %j', async (body, status, code, told) => {
    const emulator = await emulate()
    const answer = await post(emulator.baseUrl, body)
    expect(answer).toMatchObject({ status, body: { error: { code } } })
    expect(JSON.stringify(answer.body)).toContain(told.replaceAll('"', '\\"'))
    expect(emulator.webhooks()).toEqual([])
  })

  it.each(['http://localhost:1', 'http://x.localhost', 'http://127.0.0.1/a', 'http://[::1]:8080/'])(
    'takes %s, unless that is turned off',
    async (local) => {
      const open = await emulate()
      expect((await post(open.baseUrl, { url: local, events })).status).toBe(201)
      const strict = await emulate({ allowInsecureLoopback: false })
      expect((await post(strict.baseUrl, { url: local, events })).status).toBe(422)
    },
  )

  it('takes the events of the option', async () => {
    const { baseUrl } = await emulate({ extraEvents: ['message.reacted' as never] })
    expect((await post(baseUrl, { url, events: ['message.reacted'] })).status).toBe(201)
  })

  it('answers 404 elsewhere, and 405 to another method', async () => {
    const { baseUrl } = await emulate()
    expect(await post(baseUrl, {}, { path: '/webhooks' })).toMatchObject({ status: 404 })
    const listed = await post(baseUrl, undefined, { method: 'GET', path: '/api/v1/webhooks?a=1' })
    expect(listed.status).toBe(405)
    expect(listed.headers.get('allow')).toBe('POST')
  })

  it('survives a client that goes away in the middle of its request', async () => {
    const { baseUrl } = await emulate()
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    await new Promise<void>((resolve) => {
      socket.write(
        'POST /api/v1/webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer local-key\r\nContent-Length: 99\r\n\r\n{',
        () => resolve(),
      )
    })
    socket.resetAndDestroy()
    expect((await post(baseUrl, { url, events })).status).toBe(201)
  })
})
