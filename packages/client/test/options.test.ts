import { inspect } from 'node:util'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createWebhookClient } from '../src/index.ts'

const baseUrl = 'https://api.example.com'
const apiKey = 'sk_0123456789'
const url = 'https://example.com/webhooks'
const events = ['message.received'] as const

const create = (options: unknown) => () => Reflect.apply(createWebhookClient, undefined, [options])

describe('at construction', () => {
  it.each([
    [undefined, "The options should be an object, such as { baseUrl: 'https://…', apiKey }"],
    [{ baseUrl }, '`apiKey` should be printable ASCII characters'],
    [{ apiKey }, '`baseUrl` is undefined: is its environment variable set?'],
    [{ baseUrl, apiKey: `Bearer ${apiKey}` }, 'without white space, "Bearer "'],
    [{ baseUrl, apiKey: `${apiKey}\n` }, 'white space'],
    [{ baseUrl, apiKey: 'whsec_sk_0123456789' }, 'the prefix of a secret'],
    [{ baseUrl: 'api.example.com', apiKey }, 'should be an absolute URL'],
    [{ baseUrl: 'https://api.example.com\\x', apiKey }, 'should be an absolute URL'],
    [{ baseUrl: 'http://api.example.com', apiKey }, 'begin with "https://"'],
    [{ baseUrl: 'ftp://localhost', apiKey, allowInsecureLoopback: true }, 'with "ftp://"'],
    [{ baseUrl: 'http://localhost:3000', apiKey }, 'allowInsecureLoopback: true'],
    [{ baseUrl: `https://${apiKey}@api.example.com`, apiKey }, 'no user name'],
    [{ baseUrl: `${baseUrl}/#`, apiKey }, 'no fragment'],
    [{ baseUrl: `${baseUrl}/?`, apiKey }, 'no query'],
    [{ baseUrl: `${baseUrl}/api/v1/webhooks/`, apiKey }, 'should end before /api/v1'],
    [
      { baseUrl, apiKey, timeout: 0 },
      '`timeout` should be a number of seconds above 0 and up to 3600',
    ],
    [{ baseUrl, apiKey, timeout: apiKey }, 'got a string.'],
    [{ baseUrl, apiKey, extraEvents: [''] }, 'an array of event names'],
  ])('rejects %j', (options, message) => {
    expect(create(options)).toThrow(TypeError)
    expect(create(options)).toThrow(message)
    expect(create(options)).not.toThrow(apiKey)
  })

  const onHost = (host: string) =>
    create({ baseUrl: `http://${host}`, apiKey, allowInsecureLoopback: true })

  it.each(['api.localhost', '127.1', '[::1]:80'])('takes %s for loopback', (host) => {
    expect(onHost(host)).not.toThrow()
  })

  it.each(['evil-localhost:3000', '127.0.0.1.nip.io', '128.0.0.1', '[::2]'])(
    'does not take %s for loopback',
    (host) => {
      expect(onHost(host)).toThrow('only allowed for this machine')
    },
  )

  it('makes a client that does not show the key', () => {
    const shown = inspect(createWebhookClient({ baseUrl, apiKey }), { showHidden: true, depth: 9 })
    expect(shown).not.toContain(apiKey)
  })
})

describe('before anything is sent', () => {
  const fetch = vi.fn()
  const clientOf = (base: string) =>
    createWebhookClient({ baseUrl: base, apiKey, fetch, extraEvents: ['message.reacted'] })
  beforeEach(() => void fetch.mockReset())

  it.each([
    [undefined, '`url` is undefined'],
    [{ url: 'http://example.com', events }, 'begin with "https://"'],
    [{ url }, 'at least one event'],
    [{ url, events: ['message.recieved'] }, '"message.recieved", which is not an event'],
    [{ url, events: ['message.read', 'message.sent', 'message.read'] }, '"message.read" twice'],
  ])('rejects %j', async (registration, message) => {
    const rejection = Reflect.apply(clientOf(baseUrl).create, undefined, [registration])
    await expect(rejection).rejects.toThrow(TypeError)
    await expect(rejection).rejects.toThrow(message)
    expect(fetch).not.toHaveBeenCalled()
  })

  it.each(['/', '/eu//', '/api/v1x'])(
    'sends what was asked for, with the events of the option, and its path behind %j',
    async (path) => {
      fetch.mockResolvedValueOnce(Response.json({ secret: 'whsec_1' }))
      const registration = { url, events: ['message.reacted', 'message.read'] } as const
      await clientOf(baseUrl + path).create(registration)
      const [address, init] = fetch.mock.calls[0] ?? []
      expect(address).toBe(`${baseUrl}${path.replace(/\/+$/, '')}/api/v1/webhooks`)
      expect(init).toMatchObject({
        method: 'POST',
        redirect: 'manual',
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${apiKey}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(registration),
      })
    },
  )

  it('uses the fetch of the runtime, as it is when the request is made', async () => {
    const late = createWebhookClient({ baseUrl, apiKey })
    vi.stubGlobal('fetch', async () => Response.json({ secret: 'whsec_stubbed' }))
    expect((await late.create({ url, events })).secret).toBe('whsec_stubbed')
  })
})
