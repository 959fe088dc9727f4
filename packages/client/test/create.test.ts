import { createEmulator, type Emulator } from '@webhook-receiver/emulator'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createWebhookClient, EVENTS, WebhookApiError } from '../src/index.ts'
import { serveAnswer } from './misbehaving-server.ts'

const apiKey = 'local-key-0123456789'
const url = 'https://example.com/webhooks?tenant=1'

describe('against the emulator', () => {
  let emulator: Emulator
  beforeAll(async () => {
    emulator = createEmulator({ apiKey })
    await emulator.start()
  })
  afterAll(() => emulator.stop())

  it('creates a webhook and hands over its secret and its record', async () => {
    const client = createWebhookClient({
      baseUrl: `${emulator.baseUrl}/`,
      apiKey,
      allowInsecureLoopback: true,
    })
    const created = await client.create({ url, events: EVENTS })
    expect(created.secret).toMatch(/^whsec_.{20}/)
    expect(created.record).toMatchObject({ url, events: [...EVENTS] })
    expect(emulator.webhooks()).toContainEqual(created.record)
  })

  it('tells of a key that the service does not take', async () => {
    const client = createWebhookClient({
      baseUrl: emulator.baseUrl,
      apiKey: 'another-key',
      allowInsecureLoopback: true,
    })
    const error = await client.create({ url, events: ['message.read'] }).catch((reason) => reason)
    expect(error).toBeInstanceOf(WebhookApiError)
    expect(error).toMatchObject({ status: 401, reason: 'refused' })
    expect(JSON.parse(error.body)).toMatchObject({ error: { code: 'unauthorized' } })
  })
})

describe('an answer of another shape', () => {
  function client(baseUrl: string, key = apiKey) {
    return createWebhookClient({ baseUrl, apiKey: key, allowInsecureLoopback: true })
  }

  it('takes any 2xx, and a base URL with a path', async () => {
    const { baseUrl, arrivals } = await serveAnswer(200, '{"secret":"whsec_12345678","n":[1,null]}')
    const created = await client(`${baseUrl}/eu/`).create({ url, events: ['message.sent'] })
    expect(created.secret).toBe('whsec_12345678')
    expect(created.record).toEqual({ n: [1, null] })
    expect(arrivals[0]?.url).toBe('/eu/api/v1/webhooks')
  })

  it('keeps the secret and the key out of the record, wherever the answer repeats them', async () => {
    const body = {
      secret: 'whsec_12345678',
      nested: { again: ['x whsec_12345678'], key: apiKey },
    }
    const { baseUrl } = await serveAnswer(201, JSON.stringify(body))
    const { record } = await client(baseUrl).create({ url, events: ['message.sent'] })
    expect(record).toEqual({ nested: { again: ['x [the secret]'], key: '[the API key]' } })
  })

  it('keeps them out of the names of members, and out in other spellings', async () => {
    const [secret, key] = ['whsec_a/b+c 12345678', 'sk/live+0123456789']
    const body = {
      secret,
      [secret]: 1,
      [`for ${key}`]: 2,
      links: [`https://example.com/?s=${encodeURIComponent(secret)}&k=${encodeURIComponent(key)}`],
      basic: Buffer.from(`user:${key}`).toString('base64'),
      log: JSON.stringify(JSON.stringify({ secret })),
    }
    const { baseUrl } = await serveAnswer(201, JSON.stringify(body).replaceAll('/', '\\/'))
    const created = await client(baseUrl, key).create({ url, events: ['message.sent'] })
    expect(created.secret).toBe(secret)
    expect(created.record).toMatchObject({
      '[the secret]': 1,
      'for [the API key]': 2,
      links: ['https://example.com/?s=[the secret]&k=[the API key]'],
      log: '"{\\"secret\\":\\"[the secret]\\"}"',
    })
    expect(Buffer.from(String(created.record.basic), 'base64').toString()).not.toContain('live')
  })

  it.each([
    ['[', ']', 200_000],
    ['{"a":', '}', 170_000],
  ])('hands over a secret beside %s and %s, %i times', async (open, close, times) => {
    const deep = `${open.repeat(times)}0${close.repeat(times)}`
    const { baseUrl } = await serveAnswer(201, `{"secret":"whsec_12345678","deep":${deep}}`)
    const created = await client(baseUrl).create({ url, events: ['message.sent'] })
    expect(created.secret).toBe('whsec_12345678')
    expect(JSON.stringify(created.record)).toContain('[nested too deeply]')
  })

  it('does not tear up a record for a key of a few letters', async () => {
    const { baseUrl } = await serveAnswer(201, '{"secret":"whsec_12345678","url":"https://key"}')
    const created = await client(baseUrl, 'secret').create({ url, events: ['message.sent'] })
    expect(created.secret).toBe('whsec_12345678')
    const other = await client(baseUrl, 'key').create({ url, events: ['message.sent'] })
    expect(other.record).toEqual({ url: 'https://key' })
  })

  it('reads an answer where the runtime has no streams', async () => {
    const answer = new Response('{"secret":"whsec_12345678"}')
    Object.defineProperty(answer, 'body', { value: null })
    const created = await createWebhookClient({
      baseUrl: 'https://api.example.com',
      apiKey,
      fetch: async () => answer,
    }).create({ url, events: ['message.sent'] })
    expect(created.secret).toBe('whsec_12345678')
  })

  it('warns of a secret without the prefix, and does not print it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { baseUrl } = await serveAnswer(201, '{"secret":"0123456789"}')
    const created = await client(baseUrl).create({ url, events: ['message.sent'] })
    expect(created.secret).toBe('0123456789')
    expect(warn).toHaveBeenCalledOnce()
    expect(String(warn.mock.calls)).toContain('whsec_')
    expect(String(warn.mock.calls)).not.toContain('0123456789')
    warn.mockRestore()
  })
})
