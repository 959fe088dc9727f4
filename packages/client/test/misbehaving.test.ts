import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { createWebhookClient, WebhookApiError, type WebhookClientOptions } from '../src/index.ts'
import { serve, serveAnswer } from './misbehaving-server.ts'

const KEY = 'sk_live/4f8a"1c2d'
const REGISTRATION = { url: 'https://example.com/webhooks', events: ['message.received'] } as const

async function failure(
  options: Partial<WebhookClientOptions> & { readonly baseUrl: string },
): Promise<WebhookApiError> {
  const client = createWebhookClient({ apiKey: KEY, allowInsecureLoopback: true, ...options })
  const error = await client.create(REGISTRATION).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof WebhookApiError)) throw new Error('no WebhookApiError', { cause: error })
  for (const shown of [
    inspect(error, { depth: 9, showHidden: true, getters: true }),
    error.stack,
  ]) {
    expect(shown).not.toContain(KEY)
    expect(shown).not.toContain(JSON.stringify(KEY).slice(1, -1))
  }
  return error
}

describe('an answer that is not a webhook', () => {
  it.each([301, 302, 303, 307, 308])('does not follow a %i to another host', async (status) => {
    const other = await serveAnswer(201, '{"secret":"whsec_other"}')
    const location = `${other.baseUrl}/api/v1/webhooks`
    const { baseUrl, arrivals } = await serveAnswer(status, '', { Location: location })
    const error = await failure({ baseUrl })
    expect(error).toMatchObject({ reason: 'redirected', status, location, webhookMayExist: false })
    expect(error.message).toContain(JSON.stringify(location))
    expect(arrivals).toEqual([
      { method: 'POST', url: '/api/v1/webhooks', authorization: `Bearer ${KEY}` },
    ])
    expect(other.arrivals).toEqual([])
  })

  it('quotes nothing that a terminal interprets', async () => {
    const location = 'http://127.0.0.1/\u009b2J\u0085'
    const answers = [
      await serveAnswer(302, '', { Location: location }),
      await serveAnswer(400, 'no\u001b[2J\u009b2J\u202e\u2028no'),
    ]
    for (const { baseUrl } of answers) {
      const { message } = await failure({ baseUrl })
      expect(message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
    }
  })

  it('does not follow a redirect within the host either', async () => {
    const { baseUrl, arrivals } = await serveAnswer(308, 'x'.repeat(100_000), { Location: '/v2' })
    expect(await failure({ baseUrl })).toMatchObject({ reason: 'redirected', location: '/v2' })
    expect(arrivals).toHaveLength(1)
  })

  it('tells of a redirect that a browser hides, and of one without an address', async () => {
    const hidden = { ...facts(0), type: 'opaqueredirect' as const }
    const error = await failure({
      baseUrl: 'https://api.example.com',
      fetch: async () => response(hidden),
    })
    expect(error).toMatchObject({ reason: 'redirected', status: undefined, location: undefined })
  })

  it('reports a redirect that a fetch has followed', async () => {
    const followed = { ...facts(200), redirected: true, url: `https://other.example/?${KEY}` }
    const error = await failure({
      baseUrl: 'https://api.example.com',
      fetch: async () => response(followed),
    })
    expect(error).toMatchObject({ reason: 'redirected', status: 200 })
    expect(error.location).toBe('https://other.example/?[the API key]')
  })

  it('keeps an HTML page of a 500 verbatim, with the status and the request id', async () => {
    const page = '<html>\n<h1>Oops — 500</h1></html>\n'
    const { baseUrl } = await serveAnswer(500, page, { 'X-Request-Id': 'req_1' })
    const error = await failure({ baseUrl })
    expect(error).toMatchObject({ reason: 'refused', status: 500, requestId: 'req_1' })
    expect(error.body).toBe(page)
    expect(error.webhookMayExist).toBe(true)
    expect(error.message).toContain('a page of HTML')
    expect(error.message).toContain('delete it')
  })

  it('quotes the beginning of a 422, and keeps all of it', async () => {
    const body = `{"errors":\n\u001b["${'long '.repeat(100)}"]}`
    const error = await failure({ baseUrl: (await serveAnswer(422, body)).baseUrl })
    expect(error).toMatchObject({ reason: 'refused', status: 422, webhookMayExist: false })
    expect(error.body).toBe(body)
    expect(error.message).toContain('{"errors": ["long long')
    expect(error.message.length).toBeLessThan(500)
  })

  it.each([
    [401, 'Check the API key'],
    [403, 'Check the API key'],
    [404, 'Check `baseUrl`'],
    [429, 'without a body'],
  ])('says what to do about a %i', async (status, advice) => {
    const error = await failure({ baseUrl: (await serveAnswer(status, '')).baseUrl })
    expect(error.message).toContain(advice)
  })

  it('takes the API key out of an answer and a request id that repeat it', async () => {
    const echo = JSON.stringify({ error: `bad key ${KEY}`, raw: KEY }) + KEY
    const { baseUrl } = await serveAnswer(401, echo, { 'X-Request-Id': KEY })
    const error = await failure({ baseUrl })
    expect(error.body).toBe('{"error":"bad key [the API key]","raw":"[the API key]"}[the API key]')
    expect(error.requestId).toBe('[the API key]')
  })

  it('takes the API key out in other spellings, wherever an answer repeats it', async () => {
    const spelt = encodeURIComponent(KEY).toLowerCase()
    const base64 = Buffer.from(KEY).toString('base64')
    const { baseUrl } = await serveAnswer(401, `?key=${spelt}&b=${base64}`, {
      'X-Request-Id': `id-${spelt}`,
    })
    const error = await failure({ baseUrl })
    expect(error.body).toBe('?key=[the API key]&b=[the API key]')
    expect(error.requestId).toBe('id-[the API key]')
    expect(error.message).toContain(': ?key=[the API key]&b=[the API key]')
    const location = `https://other.example/?key=${spelt}&secret=whsec_12345678`
    const redirected = await failure({
      baseUrl: (await serveAnswer(302, '', { Location: location })).baseUrl,
    })
    expect(redirected.location).toBe('https://other.example/?key=[the API key]&secret=[a secret]')
    expect(redirected.message).not.toContain(spelt)
    const thrown = await failure({
      baseUrl: 'https://api.example.com',
      fetch: () => Promise.reject(new Error(`no route for ${spelt}`)),
    })
    expect(thrown.message).toContain('no route for [the API key]')
  })

  it('does not repeat a key that is in the base URL', async () => {
    const apiKey = 'sk_0123456789'
    const { baseUrl } = await serveAnswer(404, '')
    const error = await failure({ apiKey, baseUrl: `${baseUrl}/${apiKey}` })
    expect(error.message).toContain('/[the API key]/api/v1/webhooks')
    expect(inspect(error, { showHidden: true })).not.toContain(apiKey)
  })

  it('does not quote a secret that came with a refusal, and keeps it in the body', async () => {
    const body = '{"error":"half done","webhook":{"secret":"whsec_12345678"}}'
    const error = await failure({ baseUrl: (await serveAnswer(500, body)).baseUrl })
    expect(error.message).toContain('{"error":"half done","webhook":{"secret":"[a secret]"}}')
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('whsec_')
    expect(error.body).toBe(body)
  })

  it('keeps 1 MiB of an endless refusal and says so, without a piece of a key at the cut', async () => {
    const body = `${'x'.repeat(1_048_576 - 5)}${KEY}${'y'.repeat(1000)}`
    const error = await failure({ baseUrl: (await serveAnswer(400, body)).baseUrl })
    expect(error.bodyTruncated).toBe(true)
    expect(error.body).toBe('x'.repeat(1_048_576 - 5))
    expect(error.message).toContain('longer than 1 MiB')
    const spelt = encodeURIComponent(encodeURIComponent(KEY))
    const encoded = `${'x'.repeat(1_048_576 - 13)}${spelt}${'y'.repeat(1000)}`
    const other = await failure({ baseUrl: (await serveAnswer(400, encoded)).baseUrl })
    expect(other.body).toBe('x'.repeat(1_048_576 - 13))
  })

  it('reads no more than it needs of 10 MB', async () => {
    const { baseUrl } = await serveAnswer(201, new Uint8Array(10_000_000).fill(0x20))
    const error = await failure({ baseUrl })
    expect(error).toMatchObject({ reason: 'answer_too_large', status: 201, webhookMayExist: true })
    expect(error.body).toHaveLength(1_048_576)
    expect(error.message).toContain('its secret is lost')
  })

  it.each([
    ['{"secret":"whsec_1"', 'not a JSON object'],
    ['["whsec_1"]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['', 'without a body'],
  ])('refuses a 201 with %j', async (body, message) => {
    const error = await failure({ baseUrl: (await serveAnswer(201, body)).baseUrl })
    expect(error).toMatchObject({ reason: 'answer_not_json', webhookMayExist: true })
    expect(error.body).toBe(body)
    expect(error.message).toContain(message)
    expect(inspect(error, { showHidden: true })).not.toContain('whsec_1')
  })

  it.each([
    '{}',
    '{"secret":null}',
    '{"secret":7}',
    '{"secret":""}',
    '{"webhook":{"secret":"whsec_1"}}',
  ])('refuses a 201 with %s', async (body) => {
    const error = await failure({ baseUrl: (await serveAnswer(201, body)).baseUrl })
    expect(error).toMatchObject({ reason: 'secret_missing', status: 201, webhookMayExist: true })
    expect(error.message).toContain('its secret is lost')
  })
})

describe('no answer', () => {
  it('gives up after the time-out, whether nothing comes or the body stops', async () => {
    const silent = await serve(() => {})
    const stopping = await serve((_req, res) => void res.writeHead(201).write('{"secret":'))
    for (const { baseUrl, arrivals } of [silent, stopping]) {
      const error = await failure({ baseUrl, timeout: 0.2 })
      expect(error).toMatchObject({ reason: 'timeout', status: undefined, webhookMayExist: true })
      expect(arrivals).toHaveLength(1)
    }
  })

  it('gives up also where a fetch does not heed the signal', async () => {
    const error = await failure({
      baseUrl: 'https://api.example.com',
      timeout: 0.05,
      fetch: () => new Promise(() => {}),
    })
    expect(error.reason).toBe('timeout')
  })

  it('tells of a connection that is reset, and does not try again', async () => {
    const { baseUrl, arrivals } = await serve((req) => req.socket.resetAndDestroy())
    expect(await failure({ baseUrl })).toMatchObject({ reason: 'no_answer', webhookMayExist: true })
    expect(arrivals).toHaveLength(1)
  })

  it('tells of a connection that fails in the middle of the answer', async () => {
    const { baseUrl } = await serve((req, res) => {
      res.writeHead(201, { 'Content-Length': 100 }).write('{"secret":')
      setTimeout(() => req.socket.destroy(), 20)
    })
    const error = await failure({ baseUrl })
    expect(error).toMatchObject({ reason: 'answer_incomplete', status: 201, webhookMayExist: true })
  })

  it('tells that nothing was sent where nobody listens', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const error = await failure({ baseUrl: `http://127.0.0.1:${port}` })
    expect(error).toMatchObject({ reason: 'not_sent', webhookMayExist: false })
    expect(error.message).toContain('Nothing was sent')
  })

  it('does not repeat a key that fetch puts into its errors', async () => {
    const cause = Object.assign(new Error(`header "Bearer ${KEY}"`), { request: { key: KEY } })
    cause.cause = cause
    const thrown = new TypeError('fetch failed', { cause })
    const error = await failure({
      baseUrl: 'https://api.example.com',
      fetch: () => Promise.reject(thrown),
    })
    expect(error.reason).toBe('no_answer')
    expect(error.message).toContain('header "Bearer [the API key]"')
    const odd = await failure({
      baseUrl: 'https://api.example.com',
      fetch: () => Promise.reject(KEY),
    })
    expect(odd.message).toContain('not an Error')
  })

  it('ends with the reason of a signal that is aborted, before or during the request', async () => {
    const { baseUrl, arrivals } = await serve(() => {})
    const client = createWebhookClient({ baseUrl, apiKey: KEY, allowInsecureLoopback: true })
    const reason = new Error('closing')
    const aborted = AbortSignal.abort(reason)
    await expect(client.create(REGISTRATION, { signal: aborted })).rejects.toBe(reason)
    expect(arrivals).toHaveLength(0)
    const controller = new AbortController()
    const created = client.create(REGISTRATION, { signal: controller.signal })
    await vi.waitFor(() => expect(arrivals).toHaveLength(1))
    controller.abort(reason)
    await expect(created).rejects.toBe(reason)
  })
})

function facts(status: number): Partial<Response> {
  return {
    status,
    ok: status === 200,
    type: 'basic',
    headers: new Headers(),
    redirected: false,
    body: null,
  }
}

/** A Response that no constructor makes. */
function response(members: Partial<Response>): Response {
  return Object.create(Response.prototype, descriptors(members))
}

function descriptors(members: object): PropertyDescriptorMap {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { value }]))
}
