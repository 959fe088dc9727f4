import type { RequestListener } from 'node:http'
import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { createWebhookClient, WebhookApiError, type WebhookClientOptions } from '../src/index.ts'
import { serve, serveResponse } from './misbehaving-server.ts'

const KEY = 'sk_live/4f8a"1c2d'
const REGISTRATION = { url: 'https://example.com/webhooks', events: ['message.received'] } as const
const BASE_URL = 'https://api.example.com'

async function failure(
  options: Partial<WebhookClientOptions> & { readonly baseUrl: string },
): Promise<WebhookApiError> {
  const client = createWebhookClient({ apiKey: KEY, allowInsecureLoopback: true, ...options })
  const error: unknown = await client.create(REGISTRATION).catch((reason) => reason)
  if (!(error instanceof WebhookApiError)) throw new Error('no WebhookApiError', { cause: error })
  const shown = inspect(error, { depth: 9, showHidden: true, getters: true }) + error.stack
  expect(shown).not.toContain(KEY)
  expect(shown).not.toContain(JSON.stringify(KEY).slice(1, -1))
  return error
}

/** The failure for a response of a server. */
async function failureOf(...response: Parameters<typeof serveResponse>): Promise<WebhookApiError> {
  return failure({ baseUrl: (await serveResponse(...response)).baseUrl })
}

describe('a redirect', () => {
  it.each([300, 399])('%i to another host is not followed', async (status) => {
    const other = await serveResponse(201, '{"secret":"whsec_other"}')
    const location = `${other.baseUrl}/api/v1/webhooks`
    const { baseUrl, arrivals } = await serveResponse(status, '', { Location: location })
    const error = await failure({ baseUrl })
    expect(error).toMatchObject({ reason: 'redirected', status, webhookMayExist: false })
    expect(error.message).toContain(`redirects to ${location}.`)
    expect(arrivals).toEqual([
      { method: 'POST', url: '/api/v1/webhooks', authorization: `Bearer ${KEY}` },
    ])
    expect(other.arrivals).toEqual([])
  })

  it('within the host is not followed either, and may have no address', async () => {
    const { message } = await failureOf(308, 'x'.repeat(100_000))
    expect(message).toContain('redirects to an unknown address.')
  })

  it('is recognised if a browser hides it, or a fetch has followed it', async () => {
    const url = `https://other.example/?${encodeURIComponent(KEY)}`
    for (const properties of [{ type: 'opaqueredirect' }, { redirected: true, url }]) {
      const response = Response.json({ secret: 'whsec_1' })
      for (const [name, value] of Object.entries(properties)) {
        Object.defineProperty(response, name, { value })
      }
      const { reason } = await failure({ baseUrl: BASE_URL, fetch: async () => response })
      expect(reason).toBe('redirected')
    }
  })

  it('shows neither the key nor a secret of its address', async () => {
    const Location = 'https://other.example/?secret=whsec_12345678&a=1'
    expect((await failureOf(302, '', { Location })).message).toContain('?secret=[a secret]&a=1')
    const other = await failureOf(302, '', { Location: `/?key=${encodeURIComponent(KEY)}` })
    expect(other.message).toContain('redirects to [the API key].')
  })
})

describe('a response that is not 2xx', () => {
  it.each([
    [400, ': no.', false],
    [401, ': no. Check the API key', false],
    [404, ': no. Check `baseUrl`', false],
    [500, ': no. The webhook may exist', true],
  ])(
    '%i says what was seen, what to do, and whether the webhook may exist',
    async (status, end, mayExist) => {
      const error = await failureOf(status, '\n no')
      expect(error).toMatchObject({ reason: 'rejected', status, webhookMayExist: mayExist })
      expect(error.message).toContain(`responded ${status} to the POST to http://127.0.0.1:`)
      expect(error.message).toContain(`/api/v1/webhooks${end}`)
      expect(error.message.includes('may exist')).toBe(mayExist)
    },
  )

  it('is quoted with 200 characters in one line, and kept in full', async () => {
    const body = `{"errors":\n\u001b["\u009b2J\u202e\u2028${'long '.repeat(100)}"]}`
    const error = await failureOf(422, body)
    expect(error.body).toBe(body)
    expect(error.message).toMatch(/: \{"errors": \\u001b\["\\u009b2J\\u202e.*long [long ]+…\.$/)
    expect(error.message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
    expect(error.message.length).toBeLessThan(350)
  })

  it('shows and keeps no API key', async () => {
    const plain = await failureOf(401, `bad key ${KEY}`)
    expect(plain.body).toBe('bad key [the API key]')
    expect(plain.message).toContain(': bad key [the API key].')
    const escaped = await failureOf(401, JSON.stringify({ error: `bad key ${KEY}` }))
    expect(escaped.body).toBe('[the API key]')
    const inUrl = `${(await serveResponse(404, '')).baseUrl}/sk_0123456789`
    const { message } = await failure({ apiKey: 'sk_0123456789', baseUrl: inUrl })
    expect(message).toContain('/[the API key]/api/v1/webhooks, without a body.')
  })

  it('keeps a secret in the body only', async () => {
    const body = '{"error":"half done","webhook":{"secret":"whsec_12345678"}}'
    const error = await failureOf(500, body)
    expect(error.message).toContain('{"error":"half done","webhook":{"secret":"[a secret]"}}')
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('whsec_')
    expect(error.body).toBe(body)
  })

  it('is read to 1 MiB, and not kept beyond', async () => {
    const most = 'a'.repeat(1_048_576)
    expect((await failureOf(400, most)).body).toBe(most)
    const larger = await failureOf(400, `${most}a`)
    expect(larger.body).toBeUndefined()
    expect(larger.message).toContain(', with more than 1 MiB.')
  })
})

describe('a response without a secret', () => {
  it.each([
    '{"secret":"whsec_1"',
    'null',
    '',
    '{"secret":null}',
    '{"webhook":{"secret":"whsec_1"}}',
  ])('is unusable: 201 with %s', async (body) => {
    const error = await failureOf(201, body)
    expect(error).toMatchObject({ reason: 'unusable_response', status: 201, webhookMayExist: true })
    expect(error.body).toBe(body)
    expect(error.message).toContain('without JSON that has a "secret"')
    expect(error.message).toContain('its secret is lost')
    expect(inspect(error, { showHidden: true })).not.toContain('whsec_1')
  })

  it('is not read to its end', async () => {
    const { baseUrl, closed } = await serve((_req, res) => {
      const write = () => res.writable && res.write(' '.repeat(65_536), write)
      write()
    })
    const error = await failure({ baseUrl })
    expect(error).toMatchObject({ reason: 'unusable_response', body: undefined })
    expect(error.message).toContain('with more than 1 MiB')
    await closed
  })
})

describe('no response', () => {
  it('ends at the timeout, whether nothing comes or the body stops', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const stopping: RequestListener = (_req, res) => res.writeHead(201).write('{"secret":')
    for (const [listener, timeout] of [
      [() => {}, 60],
      [stopping, undefined],
    ] as const) {
      const { baseUrl, arrivals, closed } = await serve((req, res) => {
        listener(req, res)
        vi.advanceTimersByTime((timeout ?? 10) * 1000)
      })
      const error = await failure({ baseUrl, timeout })
      expect(error).toMatchObject({ reason: 'timeout', status: undefined, webhookMayExist: true })
      expect(arrivals).toHaveLength(1)
      await closed
    }
  })

  it('is not retried after a connection that breaks, before or in the middle of the response', async () => {
    const reset = await serve((req) => req.socket.resetAndDestroy())
    const halved = await serve((req, res) => {
      res.writeHead(201, { 'Content-Length': 100 }).write('{"secret":', () => req.socket.destroy())
    })
    for (const { baseUrl, arrivals } of [reset, halved]) {
      const error = await failure({ baseUrl })
      expect(error).toMatchObject({ reason: 'no_response', webhookMayExist: true })
      expect(arrivals).toHaveLength(1)
    }
  })

  it('says that nothing was sent if nobody listens', async () => {
    const { baseUrl, close } = await serve(() => {})
    await close()
    const error = await failure({ baseUrl })
    expect(error).toMatchObject({ reason: 'not_sent', webhookMayExist: false })
    expect(error.message).toContain('ECONNREFUSED')
    expect(error.message).toContain('Nothing was sent')
  })

  it('does not show a key that fetch puts into its errors', async () => {
    const cause = Object.assign(new Error(`header "Bearer ${KEY}"`), { request: { key: KEY } })
    const thrown = new TypeError('fetch failed', { cause })
    const error = await failure({ baseUrl: BASE_URL, fetch: () => Promise.reject(thrown) })
    expect(error.reason).toBe('no_response')
    expect(error.message).toContain('failed: fetch failed: header "Bearer [the API key]".')
    const long = new Error('x'.repeat(2000))
    const { message } = await failure({ baseUrl: BASE_URL, fetch: () => Promise.reject(long) })
    expect(message.match(/xx+/)?.[0]).toHaveLength(500)
    await failure({ baseUrl: BASE_URL, fetch: () => Promise.reject(KEY) })
  })

  it('ends with the reason of a signal that is aborted, before or during the request', async () => {
    const { baseUrl, arrivals, closed } = await serve(() => {})
    const client = createWebhookClient({ baseUrl, apiKey: KEY, allowInsecureLoopback: true })
    const reason = new Error('closing')
    const aborted = AbortSignal.abort(reason)
    await expect(client.create(REGISTRATION, { signal: aborted })).rejects.toBe(reason)
    expect(arrivals).toHaveLength(0)
    const controller = new AbortController()
    const created = client.create(REGISTRATION, { signal: controller.signal })
    await vi.waitFor(() => expect(arrivals).toHaveLength(1), { timeout: 120_000 })
    controller.abort(reason)
    await expect(created).rejects.toBe(reason)
    await closed
  })
})
