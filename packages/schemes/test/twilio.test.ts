import { createHash, createHmac } from 'node:crypto'
import { createReceiver, webhookHandler } from '@webhook-receiver/core'
import { signDelivery } from '@webhook-receiver/core/testing'
import { describe, expect, test, vi } from 'vitest'
import { square, twilio } from '../src/index.ts'
import { requestOf } from './signed.ts'

const TOKEN = 'auth-token'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const sign = (text: string) => createHmac('sha1', TOKEN).update(text).digest('base64')

/** What Twilio signs of a form: the URL, and each field in the order of its name. */
const signForm = (url: string, fields: Readonly<Record<string, string>>) =>
  sign(
    url +
      Object.keys(fields)
        .sort()
        .map((name) => name + fields[name])
        .join(''),
  )

interface Given {
  readonly target: string
  readonly body: string
  readonly signature: string
  readonly publicUrl?: string
  readonly contentType?: string
}

/** The status, and what the handler got. */
async function outcome({ target, body, signature, contentType, ...given }: Given) {
  const { publicUrl = 'https://example.com' } = given
  const work = vi.fn()
  const onRejected = vi.fn()
  const handler = webhookHandler(TOKEN, work, { scheme: twilio, publicUrl, onRejected })
  const headers = {
    'X-Twilio-Signature': signature,
    'Content-Type': contentType ?? 'application/x-www-form-urlencoded',
  }
  const request = requestOf({ url: `http://10.0.0.1${target}`, headers, body })
  const { status } = await handler(request)
  const [delivery, context] = work.mock.calls[0] ?? []
  return {
    status,
    data: delivery?.data,
    unsigned: context?.verification.unsigned,
    detail: onRejected.mock.calls[0]?.[0].detail,
  }
}

describe('the digest of a body', () => {
  const json = '{"MessageStatus":"delivered","admin":true}'
  const fields = {
    AccountSid: 'AC1',
    Body: `&bodySHA256=${sha256(json)}&x=`,
    From: '+1000',
    MessageSid: 'SM1',
  }
  const signature = signForm('https://example.com/status?order=15', fields)
  const joined = encodeURI(`AccountSidAC1Body${fields.Body}From+1000MessageSidSM1`)

  test('that a stranger wrote into a message makes no body of his valid', async () => {
    const target = `/status?order=15${joined}`
    expect(await outcome({ target, body: json, signature })).toMatchObject({ status: 401 })
  })

  test('counts only where it is last in every spelling that could have been signed', async () => {
    // In the order that `querystring` writes, the second digest is no longer the last one.
    const written = {
      AccountSid: 'AC1',
      Body: `&bodySHA256=x&bodySHA256=${sha256(json)}&B=`,
      To: '12345',
    }
    const target = `/hooks?shop=7AccountSidAC1Body&bodySHA256=x&B=To12345&bodySHA256=${sha256(json)}`
    const signature = signForm('https://example.com/hooks?shop=7', written)
    expect((await outcome({ target, body: json, signature })).status).toBe(401)
  })

  describe('in fields that a caller has named', () => {
    // Twilio's Voice SDK lets a caller choose names and values of fields: one sorts in front of all others, one behind them. None has
    // characters that a query escapes, so the escapes below are spellings of what was signed.
    const call = {
      '?x': '=',
      AccountSid: `AC${'0123456789abcdef'.repeat(2)}`,
      CallSid: 'CA1',
      From: 'anybody',
      z: `&bodySHA256=${sha256(json)}`,
    }
    const url = 'https://example.com/voice'
    const joined = Object.entries(call).flat().join('')
    const targets = {
      'as they are signed': `/voice${joined}`,
      'with one escape': `/voice${joined.replace('AccountSid', '%41ccountSid')}`,
    }

    test.each(Object.entries(targets))(
      '%s, it makes no body of theirs valid',
      async (_, target) => {
        for (const publicUrl of ['https://example.com', url]) {
          const got = await outcome({
            target,
            body: json,
            signature: signForm(url, call),
            publicUrl,
          })
          expect([publicUrl, got.status]).toEqual([publicUrl, 401])
        }
      },
    )

    test.each(['CallSid=CA1', 'MessageSid=SM1', 'SmsSid=SM1'])(
      'a call by GET, which is signed as its URL, gives no JSON its signature: %s',
      async (about) => {
        const fields = `AccountSid=AC${'0a'.repeat(16)}&${about}&From=client%3Am`
        const target = `/voice?${fields}&bodySHA256=${sha256(json)}`
        const signature = sign(`https://example.com${target}`)
        expect(await outcome({ target, body: json, signature })).toMatchObject({ status: 401 })
      },
    )
  })

  test.each([
    '/events?AccountSid=AC0123456789abcdef0123456789abcdef',
    '/AccountSid/AC0123456789abcdef0123456789abcdef?a=1',
    '/AccountSidACE?a=1',
  ])('counts behind %s, which no form makes', async (path) => {
    const target = `${path}&bodySHA256=${sha256(json)}`
    const signature = sign(`https://example.com${target}`)
    expect(await outcome({ target, body: json, signature })).toMatchObject({ status: 204 })
  })

  test('counts as the last parameter only', async () => {
    const target = `/events?bodySHA256=${sha256(json)}&b=2`
    const signature = sign(`https://example.com${target}`)
    expect(await outcome({ target, body: json, signature })).toMatchObject({ status: 401 })
  })

  test('is needed for JSON: a form could not have been signed', async () => {
    for (const body of [json, '\n\t[]', '\uFEFF{}']) {
      const [name = '', ...value] = body.split('=')
      const text = `https://example.com/${name}${value.join('=')}`
      const got = await outcome({ target: '/', body, signature: sign(text) })
      expect([body, got.status]).toEqual([body, 401])
    }
  })
})

describe('the bytes tell JSON from a form, and no Content-Type does', () => {
  const json = ' \r\n\t{"a":"100% &payload=%7B%22admin%22%3Atrue%7D"}'
  test.each([
    ['application/x-www-form-urlencoded', json, JSON.parse(json)],
    ['text/plain', json, JSON.parse(json)],
    ['application/json', 'payload=%7B%22a%22%3A1%7D', { payload: '{"a":1}' }],
  ])('%s: %s', async (contentType, body, data) => {
    const url = `https://example.com/hook?bodySHA256=${sha256(body)}`
    const target = url.slice('https://example.com'.length)
    const got = await outcome({ target, body, signature: sign(url), contentType })
    expect(got).toMatchObject({ status: 204, data })
  })

  test('what begins like JSON and is none is 400, and never a form', async () => {
    for (const body of ['{a=1&b=2', '\uFEFF{"a":1}', ' [']) {
      const url = `https://example.com/hook?bodySHA256=${sha256(body)}`
      const target = url.slice('https://example.com'.length)
      const got = await outcome({ target, body, signature: sign(url) })
      expect([body, got.status]).toEqual([body, 400])
    }
  })
})

describe('where the URL ends', () => {
  const fields = { AccountSid: 'AC1', Body: 'hello', MessageSid: 'SM1' }
  const registered = 'https://example.com/status?order=15'
  const signature = signForm(registered, fields)
  const cuts: readonly (readonly [string, string, string])[] = [
    ['no query', '/status', '%3Forder%3D15AccountSid=AC1&Body=hello&MessageSid=SM1'],
    [
      'a part of the form in the query',
      '/status?order=15AccountSidAC1',
      'Body=hello&MessageSid=SM1',
    ],
    ['all of the form in the query', '/status?order=15AccountSidAC1BodyhelloMessageSidSM1', ''],
  ]

  test.each(cuts)(
    'is not bound with an origin, which `unsigned` says: %s',
    async (_, target, body) => {
      const got = await outcome({ target, body, signature })
      expect(got).toMatchObject({ status: 204, unsigned: ['id', 'event', 'body', 'path', 'query'] })
    },
  )

  test.each(cuts.filter(([what]) => what !== 'no query'))(
    'is bound by the registered URL: %s is 401',
    async (_, target, body) => {
      const got = await outcome({ target, body, signature, publicUrl: registered })
      expect(got.status).toBe(401)
      expect(got.detail).toContain('The query is not that of `publicUrl` (')
    },
  )

  const form = 'AccountSid=AC1&Body=hello&MessageSid=SM1'
  test.each(['/status', '/?order=15', '/status?order=%31%35', '/status?'])(
    'the registered URL is taken for %s, whatever its path',
    async (target) => {
      const got = await outcome({ target, body: form, signature, publicUrl: `${registered}#rc=2` })
      expect(got).toMatchObject({
        status: 204,
        data: fields,
        unsigned: ['id', 'event', 'body', 'path', 'query'],
      })
    },
  )

  test.each(['/status?order=15&order=15', '/status?order=16'])('and not for %s', async (target) => {
    expect((await outcome({ target, body: form, signature, publicUrl: registered })).status).toBe(
      401,
    )
  })

  test.each(['https://example.com/a?b=1', 'https://example.com/a'])(
    'the digest of JSON is added to %s',
    async (publicUrl) => {
      const json = '[1]'
      const digest = `bodySHA256=${sha256(json)}`
      const signature = sign(`${publicUrl}${publicUrl.includes('?') ? '&' : '?'}${digest}`)
      const query = new URL(publicUrl).search
      for (const target of [`/x${query}${query ? '&' : '?'}${digest}`, `/x?${digest}`]) {
        const got = await outcome({ target, body: json, signature, publicUrl })
        expect([target, got.status, got.data]).toEqual([target, 204, [1]])
      }
      const forged = await outcome({
        target: `/x?evil=1&${digest}`,
        body: json,
        signature,
        publicUrl,
      })
      expect(forged.status).toBe(401)
    },
  )
})

test.each([
  ['more fields than are read', Array.from({ length: 1001 }, (_, at) => `f${at}=1`).join('&')],
  ['an escape that is none', 'a=100%'],
  ['an escape that is not UTF-8', 'a=%FF'],
  ['JSON without its digest', '{"a":1}'],
])(
  'a body that Twilio cannot have signed is the cause, and not the secret: %s',
  async (_, body) => {
    const got = await outcome({ target: '/', body, signature: sign('https://example.com/') })
    expect(got).toMatchObject({
      status: 401,
      detail:
        'The body is nothing that Twilio signs: a form of at most 1000 fields, or JSON with bodySHA256 in the URL. ' +
        'Did a proxy change the body or its URL?',
    })
    const signing = signDelivery(TOKEN, new TextEncoder().encode(body), { scheme: twilio })
    await expect(signing).rejects.toThrow(/^The body is nothing that Twilio signs/)
  },
)

describe('spellings of the URL', () => {
  const body = 'a=1'
  test('/hook?flag on the wire, /hook?flag= signed', async () => {
    const signature = sign('https://example.com/hook?flag=a1')
    expect((await outcome({ target: '/hook?flag', body, signature })).status).toBe(204)
  })

  test.each([
    ['https://user:pw@example.com/hook', 'https://user:pw@example.com:443/hook'],
    ['https://user:pw@example.com:8443/hook', 'https://user:pw@example.com/hook'],
    ['http://example.com/hook', 'http://example.com:80/hook'],
  ])('%s registered, %s signed', async (publicUrl, signed) => {
    const got = await outcome({ target: '/hook', body, signature: sign(`${signed}a1`), publicUrl })
    expect(got.status).toBe(204)
  })

  test.each(['/a/%2e%2E/hook/', '/./hook/', '\\hook/', '/hook/a/..'])(
    '%s is no spelling of another path',
    async (path) => {
      const receiver = createReceiver(TOKEN, {
        ...{ scheme: twilio, publicUrl: () => `https://example.com${path}`, onRejected: false },
      })
      const headers = { 'X-Twilio-Signature': sign('https://example.com/hook/a1') }
      const request = requestOf({ headers, body })
      await expect(receiver.receiveRequest(request)).rejects.toMatchObject({ status: 401 })
    },
  )
})

test('a mismatch names the URL that was verified, without credentials and values', async () => {
  const publicUrl = 'https://user:secret@example.com/hook?token=hidden'
  const got = await outcome({ target: '/x', body: 'a=1', signature: sign('other'), publicUrl })
  expect(got.detail).toContain('https://example.com/hook?token=…')
  expect(got.detail).toContain('or wrong `publicUrl` (')
  expect(got.detail).not.toMatch(/secret@|hidden/)
})

test.each([
  ['https://example.com/a?b=1', ['/x??b=1', '/x?c']],
  ['https://example.com/a', ['/x??', '/x?a', '/x?&a']],
])('with %s as the registered URL, other queries are 401', async (publicUrl, targets) => {
  const signature = sign(`${publicUrl}a1`)
  for (const target of targets) {
    const got = await outcome({ target, body: 'a=1', signature, publicUrl })
    expect([target, got.status]).toEqual([target, 401])
  }
})

test("Square's URL is bound with an origin, and its path not with the registered URL", async () => {
  const url = 'https://example.com/square'
  const body = '{"event_id":"e1","type":"payment.updated"}'
  const signature = createHmac('sha256', TOKEN)
    .update(url + body)
    .digest('base64')
  const headers = { 'x-square-hmacsha256-signature': signature }
  const unsigned = async (publicUrl: string) => {
    const receiver = createReceiver(TOKEN, { scheme: square, publicUrl, onRejected: false })
    const { verification } = await receiver.receiveRequest(requestOf({ url, headers, body }))
    return verification.unsigned
  }
  expect(await unsigned('https://example.com')).toEqual([])
  expect(await unsigned(url)).toEqual(['path'])
})
