import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createWebhookClient,
  type WebhookApiError,
  type WebhookClientOptions,
} from '../src/index.ts'

const baseUrl = 'https://api.example.com'
const apiKey = 'sk_0123456789'
const url = 'https://example.com/webhooks'
const registration = { url, events: ['message.read'] } as const

/** What a client does with an answer, given by a `fetch` of its own. */
function answered(response: Response, options: Partial<WebhookClientOptions> = {}) {
  const fetch = vi.fn(async () => response)
  const client = createWebhookClient({ baseUrl, apiKey, fetch, ...options })
  return { fetch, created: client.create(registration) }
}

function failure(response: Response): Promise<WebhookApiError> {
  return answered(response).created.then(
    () => {
      throw new Error('a webhook was created')
    },
    (error: unknown) => error as WebhookApiError,
  )
}

const created = () => Response.json({ secret: 'whsec_1' })

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('an address', () => {
  it.each(['ftp://localhost', 'ftp://127.0.0.1', 'ws://[::1]'])(
    'is refused with another scheme on this machine, too: %s',
    (address) => {
      const create = () =>
        createWebhookClient({ baseUrl: address, apiKey, allowInsecureLoopback: true })
      expect(create).toThrow(/should begin with "https:\/\/"; it begins with "(ftp|ws):\/\/"/)
    },
  )

  it('is of this machine anywhere in 127.0.0.0/8', () => {
    const options = { apiKey, allowInsecureLoopback: true }
    expect(() => createWebhookClient({ ...options, baseUrl: 'http://127.10.20.30' })).not.toThrow()
  })

  it('may have an "@" in its path', async () => {
    const client = createWebhookClient({ baseUrl, apiKey, fetch: async () => created() })
    const address = 'https://example.com/a//b@c?d=//e@f'
    await expect(client.create({ ...registration, url: address })).resolves.toBeDefined()
  })

  it.each(['', '/', '///', '/eu', '/eu//', '/api/v1x'])(
    'is followed by the path of the end point: %s',
    async (path) => {
      const { fetch, created: webhook } = answered(created(), { baseUrl: baseUrl + path })
      await webhook
      const endpoint = `${baseUrl}${path.replace(/\/+$/, '')}/api/v1/webhooks`
      expect(fetch).toHaveBeenCalledWith(endpoint, expect.anything())
    },
  )
})

describe('options', () => {
  it('may have a time-out of an hour, and none above', () => {
    expect(() => createWebhookClient({ baseUrl, apiKey, timeout: 3600 })).not.toThrow()
    expect(() => createWebhookClient({ baseUrl, apiKey, timeout: 3601 })).toThrow('up to 3600')
  })

  it('may name events, and nothing else', async () => {
    const fetch = async () => created()
    const client = createWebhookClient({ baseUrl, apiKey, fetch, extraEvents: ['a.b', 'c.d'] })
    await expect(client.create({ url, events: ['c.d'] })).resolves.toBeDefined()
    await expect(Reflect.apply(client.create, client, [{ url, events: ['e.f'] }])).rejects.toThrow(
      /"e\.f", which is not an event\. The events are: .*message\.read.*, a\.b, c\.d\./,
    )
    const wrong = () =>
      Reflect.apply(createWebhookClient, undefined, [{ baseUrl, apiKey, extraEvents: ['a.b', 7] }])
    expect(wrong).toThrow('`extraEvents` should be an array of event names')
  })
})

describe('the request', () => {
  it('asks for JSON, and says that it is JSON', async () => {
    const { fetch, created: webhook } = answered(created())
    await webhook
    expect(fetch).toHaveBeenCalledWith(
      expect.anything(),
      expect.objectContaining({
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${apiKey}`,
          'Content-Type': 'application/json',
        },
      }),
    )
  })

  it('leaves no timer and no listener behind', async () => {
    vi.useFakeTimers()
    const { signal } = new AbortController()
    const client = createWebhookClient({ baseUrl, apiKey, fetch: async () => created() })
    await client.create(registration, { signal })
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('tells the error of `fetch` with its code and its causes, without what is not text', async () => {
    const cause = Object.assign(new Error('reset'), {
      code: 'ECONNRESET',
      cause: new Error('deep'),
    })
    const thrown = Object.assign(new TypeError('fetch failed', { cause }), { code: 7 })
    const client = createWebhookClient({ baseUrl, apiKey, fetch: () => Promise.reject(thrown) })
    await expect(client.create(registration)).rejects.toMatchObject({
      reason: 'no_answer',
      webhookMayExist: true,
      message: expect.stringMatching(
        /failed: fetch failed: reset \(ECONNRESET\): deep\. The webhook may have been created/,
      ),
    })
  })

  it('tells at most 1,000 characters of an error, and five causes', async () => {
    const long = createWebhookClient({
      baseUrl,
      apiKey,
      fetch: () => Promise.reject(new Error('x'.repeat(2000))),
    })
    const error = await long.create(registration).catch((reason: unknown) => reason)
    expect(String(error).match(/xx+/)?.[0]).toHaveLength(1000)

    let nested = new Error('cause 7')
    for (let n = 6; n >= 0; n--) nested = new Error(`cause ${n}`, { cause: nested })
    const deep = createWebhookClient({ baseUrl, apiKey, fetch: () => Promise.reject(nested) })
    const message = String(await deep.create(registration).catch((reason: unknown) => reason))
    expect(message).toContain('cause 5')
    expect(message).not.toContain('cause 6')
  })
})

describe('the answer', () => {
  it('may be any status of success', async () => {
    const { created: webhook } = answered(Response.json({ secret: 'whsec_1' }, { status: 299 }))
    expect((await webhook).secret).toBe('whsec_1')
  })

  it.each([300, 302, 399])('is a redirect with the status %i', async (status) => {
    const location = `https://example.org/${'y'.repeat(2000)}`
    const error = await failure(new Response(null, { status, headers: { location } }))
    expect(error).toMatchObject({ reason: 'redirected', status, webhookMayExist: false })
    expect(error.location).toHaveLength(1000)
  })

  it('may redirect without saying where', async () => {
    const error = await failure(new Response(null, { status: 302 }))
    expect(error.message).toContain('redirects to an unknown address (302).')
    expect(error.location).toBeUndefined()
  })

  it.each([
    [401, ' Check the API key'],
    [403, ' Check the API key'],
    [404, ' Check `baseUrl`'],
    [405, ' Check `baseUrl`'],
    [400, ''],
    [422, ''],
  ])('%i gives its own advice', async (status, advice) => {
    const { message } = await failure(new Response('no', { status }))
    const end = message.slice(message.indexOf(': no.') + ': no.'.length)
    expect(advice === '' ? end : end.slice(0, advice.length)).toBe(advice)
  })

  it('is repeated with at most 200 characters, without white space around it', async () => {
    const exact = await failure(new Response(`  ${'z'.repeat(200)}  \n`, { status: 400 }))
    expect(exact.message).toContain(`: ${'z'.repeat(200)}.`)
    const longer = await failure(new Response('z'.repeat(201), { status: 400 }))
    expect(longer.message).toContain(`: ${'z'.repeat(200)}….`)
  })

  it.each(['base64', 'base64url'] as const)('holds no key in %s', async (encoding) => {
    // Both alphabets differ in what these bytes become.
    const secretKey = 'sk_>>>???~~~0123456789'
    for (const before of ['', 'a', 'ab']) {
      const encoded = Buffer.from(`${before}${secretKey}`).toString(encoding)
      const response = new Response(`echo ${encoded} end`, { status: 400 })
      const error: unknown = await answered(response, { apiKey: secretKey }).created.catch(
        (reason: unknown) => reason,
      )
      expect(error).toMatchObject({ body: expect.stringContaining('[the API key]') })
      expect(error).toMatchObject({ body: expect.not.stringContaining(encoded.slice(4, -4)) })
    }
  })

  it('gives at most 200 characters of the identifier of the request', async () => {
    const headers = { 'x-request-id': 'r'.repeat(300) }
    const { requestId } = await failure(new Response('', { status: 400, headers }))
    expect(requestId).toBe('r'.repeat(200))
  })

  it('is read to 1 MiB, and not a byte further', async () => {
    const full = await failure(new Response('a'.repeat(1_048_576), { status: 400 }))
    expect(full).toMatchObject({ bodyTruncated: false })
    expect(full.body).toHaveLength(1_048_576)
    const longer = await failure(new Response('a'.repeat(1_048_577), { status: 400 }))
    expect(longer).toMatchObject({ bodyTruncated: true })
    expect(longer.body).toHaveLength(1_048_576)
    expect(longer.message).toContain('longer than 1 MiB; the rest was not kept.')
  })

  it('is warned about where the secret has another form, and only there', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await answered(created()).created
    expect(warn).not.toHaveBeenCalled()
    await answered(Response.json({ secret: '12345678whsec_' })).created
    expect(warn).toHaveBeenCalledOnce()
    expect(warn.mock.calls[0]?.[0]).not.toContain('12345678')
  })

  it.each([500, 503])('says with %i that the webhook may exist', async (status) => {
    expect(await failure(new Response('', { status }))).toMatchObject({ webhookMayExist: true })
  })

  it('says with 499 that it does not', async () => {
    const error = await failure(new Response('', { status: 499 }))
    expect(error.webhookMayExist).toBe(false)
    expect(error.message).not.toContain('may exist')
  })
})
