import { createHash, createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createReceiver, type Receiver, type Scheme, WebhookError } from '@webhook-receiver/core'
import { createLocalJWKSet, exportJWK, flattenedVerify, type JWK, jwtVerify, SignJWT } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { googlePubSub, jwks, jwtScheme, keyById } from '../src/index.ts'
import { ACCOUNT, audience, NOW, pubsub, request } from './worlds.ts'

const pairs = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
const pairAt = (at: number) => pairs[at] as (typeof pairs)[number]
const jwkOf = async ({ publicKey }: { publicKey: KeyObject }, kid: string) => ({
  ...(await exportJWK(publicKey)),
  kid,
})
/** The public keys, each as it is in a set. */
const [KEY, NEXT] = (await Promise.all(pairs.map((pair, at) => jwkOf(pair, `k${at}`)))) as [
  JWK,
  JWK,
]
const SET = () => Response.json({ keys: [KEY] })
const FAILING = () => new Response('', { status: 500 })
const [AWAY, REJECTED] = ['503 secret_unavailable', '401 token_rejected']

/** A push that jose has signed. */
async function push(at: number, kid = `k${at}`): Promise<Request> {
  const signed = await new SignJWT({ email: ACCOUNT, email_verified: true })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer('https://accounts.google.com')
    .setAudience(audience)
    .setIssuedAt(NOW)
    .setExpirationTime(NOW + 100_000)
    .sign(pairAt(at).privateKey)
  return new Request(audience, {
    method: 'POST',
    headers: { authorization: `Bearer ${signed}` },
    body: JSON.stringify({ message: { messageId: 'm1' } }),
  })
}

/** A receiver whose key set is what `respond` returns, and whose clock is a variable. */
function receiving(respond: () => Promise<Response> | Response) {
  const clock = { now: NOW * 1000 }
  const fetching = vi.fn<typeof fetch>(async () => respond())
  const now = () => clock.now
  const scheme = googlePubSub({ audience, fetch: fetching, now })
  const receiver = createReceiver(ACCOUNT, { scheme, now, onRejected: false })
  const statusOf = async (at: number, kid?: string) => outcomeOf(receiver, await push(at, kid))
  return { clock, fetching, receiver, statusOf }
}

const encoded = (text: string) => Buffer.from(text).toString('base64url')

/** 204, or the status and the reason of a rejection. */
function outcomeOf({ receiveRequest }: Receiver<unknown>, sent: Request): Promise<unknown> {
  return receiveRequest(sent).then(
    () => 204,
    (error: unknown) => (error instanceof WebhookError ? `${error.status} ${error.reason}` : error),
  )
}

describe('a key set', () => {
  test('that could not be fetched while the clock was ahead is fetched when that is set right', async () => {
    const respond = vi.fn(SET).mockImplementationOnce(() => {
      throw new Error('certificate has expired')
    })
    const { clock, statusOf } = receiving(respond)
    clock.now += 86_400_000
    expect(await statusOf(0)).toBe(AWAY)
    clock.now -= 86_400_000
    expect(await statusOf(0)).toBe(204)
  })

  test('is fetched again when the clock is set back, for keys that are there and others', async () => {
    const { clock, fetching, statusOf } = receiving(SET)
    for (const [kid, back] of [['k0'], ['k0', 3_600_000], ['k1', 3_600_000]] as const) {
      clock.now -= back ?? 0
      await statusOf(0, kid)
    }
    expect(fetching).toHaveBeenCalledTimes(3)
  })

  test('is fetched once for requests that come at once, and for those of ten minutes', async () => {
    const { clock, fetching, receiver, statusOf } = receiving(SET)
    const sent = await Promise.all([push(0), push(0), push(0)])
    const outcomes = sent.map((one) => outcomeOf(receiver, one))
    expect(await Promise.all(outcomes)).toEqual([204, 204, 204])
    expect(fetching).toHaveBeenCalledTimes(1)
    expect(fetching.mock.calls[0]?.[0]).toBe('https://www.googleapis.com/oauth2/v3/certs')
    clock.now += 599_000
    await statusOf(0)
    expect(fetching).toHaveBeenCalledTimes(1)
    clock.now += 2000
    expect(await statusOf(0)).toBe(204)
    expect(fetching).toHaveBeenCalledTimes(2)
  })

  test('is fetched for each request on Cloudflare Workers, where none can wait for another', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
    const { fetching, receiver } = receiving(SET)
    const sent = await Promise.all([push(0), push(0)])
    const outcomes = sent.map((one) => outcomeOf(receiver, one))
    expect(await Promise.all(outcomes)).toEqual([204, 204])
    expect(fetching).toHaveBeenCalledTimes(2)
  })

  test('that has a new key is fetched again for it, but for made-up ones at most every 30 s', async () => {
    let key = KEY
    const { clock, fetching, statusOf } = receiving(() => Response.json({ keys: [key] }))
    expect(await statusOf(0)).toBe(204)
    key = NEXT
    expect(await statusOf(1)).toBe(REJECTED)
    expect(fetching).toHaveBeenCalledTimes(1)
    clock.now += 31_000
    expect(await statusOf(1)).toBe(204)
    for (let count = 0; count < 50; count++) {
      expect(await statusOf(1, `made-up ${count}`)).toBe(REJECTED)
    }
    expect(fetching).toHaveBeenCalledTimes(2)
    // A key that was withdrawn is not accepted any more.
    expect(await statusOf(0)).toBe(REJECTED)
  })

  test('that cannot be fetched is 503, asked for again after 10 s, and its last keys are used for a day', async () => {
    let respond = FAILING
    const { clock, fetching, statusOf } = receiving(() => respond())
    expect(await statusOf(0)).toBe(AWAY)
    respond = SET
    clock.now += 9999
    expect(await statusOf(0)).toBe(AWAY)
    expect(fetching).toHaveBeenCalledTimes(1)
    clock.now += 1
    expect(await statusOf(0)).toBe(204)
    respond = FAILING
    clock.now += 80_000_000
    expect(await statusOf(0)).toBe(204)
    clock.now += 6_500_000
    expect(await statusOf(0)).toBe(AWAY)
  })

  test.each([
    ['no set', () => Response.json([])],
    [
      'without a key for the algorithm',
      () => Response.json({ keys: [{ kty: 'oct', k: 'AAAA', kid: 'k0' }] }),
    ],
    [
      'a redirect',
      () => new Response('', { status: 302, headers: { location: 'https://attacker.example' } }),
    ],
  ] as const)('that is %s is 503', async (_, respond) => {
    const { statusOf } = receiving(respond)
    expect(await statusOf(0)).toBe(AWAY)
  })

  test('that cannot be reached is named, with what the system says', async () => {
    const dns = new Error('getaddrinfo ENOTFOUND www.googleapis.com')
    // As Node has it if a name has several addresses.
    const unreachable = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
    for (const [cause, why] of [
      [dns, dns.message],
      [unreachable, unreachable.code],
    ] as const) {
      const failing = vi.fn<typeof fetch>().mockRejectedValue(new Error('fetch failed', { cause }))
      const scheme = googlePubSub({ audience, fetch: failing })
      const { receiveRequest } = createReceiver(ACCOUNT, { scheme, onRejected: false })
      await expect(receiveRequest(await push(0))).rejects.toMatchObject({
        detail: `The secret is not available: www.googleapis.com: fetch failed: ${why}.`,
      })
    }
  })

  test('that no longer has a key for the algorithm withdraws the last one; an error page does not', async () => {
    let respond = SET
    const { clock, statusOf } = receiving(() => respond())
    expect(await statusOf(0)).toBe(204)
    respond = () => new Response('<html>')
    clock.now += 601_000
    expect(await statusOf(0)).toBe(204)
    respond = () => Response.json({ keys: [] })
    clock.now += 601_000
    expect(await statusOf(0)).toBe(AWAY)
    respond = FAILING
    clock.now += 601_000
    expect(await statusOf(0)).toBe(AWAY)
  })

  test.each([200, 500])(
    'that is far too large, with %i, is read up to its bound only',
    async (status) => {
      let sent = 0
      const cancel = vi.fn()
      const large = () =>
        new ReadableStream({
          pull(controller) {
            sent += 65_536
            controller.enqueue(new Uint8Array(65_536).fill(0x20))
            if (sent > 4_000_000) controller.close()
          },
          cancel,
        })
      const { statusOf } = receiving(() => new Response(large(), { status }))
      expect(await statusOf(0)).toBe(AWAY)
      expect(sent).toBeLessThan(1_000_000)
      expect(cancel).toHaveBeenCalledTimes(1)
    },
  )

  test('with keys of other kinds under the id of one that fits accepts its token, as jose does', async () => {
    const others = [
      await jwkOf(generateKeyPairSync('ed25519'), 'k0'),
      { ...KEY, use: 'enc' },
      { ...KEY, alg: 'RS512' },
    ]
    const keys = [others[0], KEY, ...others.slice(1)] as JWK[]
    const { statusOf } = receiving(() => Response.json({ keys }))
    expect(await statusOf(0)).toBe(204)
    const { headers } = await push(0)
    const sent = headers.get('authorization')?.slice(7) ?? ''
    const at = { currentDate: new Date(NOW * 1000) }
    await expect(jwtVerify(sent, createLocalJWKSet({ keys }), at)).resolves.toBeDefined()
  })

  test('with keys of two curves under one id has that of the algorithm', async () => {
    const keys = await Promise.all(
      ['P-384', 'P-256'].map((namedCurve) =>
        jwkOf(generateKeyPairSync('ec', { namedCurve }), 'k0'),
      ),
    )
    const source = jwks('https://example.com/keys', { fetch: async () => Response.json({ keys }) })
    expect(await source.find({ kid: 'k0' }, 'ES256')).toBeDefined()
  })

  test.each([
    ['two keys of one id', (key: object) => [key, { ...key, n: 'AQAB' }]],
    ['a key of another algorithm', (key: object) => [{ ...key, alg: 'RS512' }]],
  ])('with %s does not accept its token', async (_, change) => {
    const { statusOf } = receiving(() => Response.json({ keys: [...change(KEY), NEXT] }))
    expect(await statusOf(0)).toBe(REJECTED)
    expect(await statusOf(1)).toBe(204)
  })

  test('with an RSA key of 1024 bits does not accept its token', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const keys = [await jwkOf(weak, 'weak'), NEXT]
    const { receiver } = receiving(() => Response.json({ keys }))
    const sent = request({ ...pubsub, key: weak.privateKey, header: { kid: 'weak' } })
    expect(await outcomeOf(receiver, sent)).toBe(REJECTED)
  })

  test.each(['http://example.com/keys', 7])('at %s is a TypeError', (url) => {
    expect(() => jwks(url as string)).toThrow(TypeError)
  })
})

const service = { name: 'acme', token: { header: 'acme-token' } } as const

describe('a key by its id', () => {
  function receivingBy(get: (id: string) => Promise<object | undefined>) {
    const clock = { now: NOW * 1000 }
    const now = () => clock.now
    const id = { pointer: '/message/messageId' } as const
    const keys = keyById(get, { now })
    const given = { ...service, algorithm: 'RS256', keys, body: 'unsigned', id } as const
    const scheme: Scheme = jwtScheme(given)
    const receiver = createReceiver('any text of sixteen', { scheme, now, onRejected: false })
    const statusOf = async (at: number, kid?: string) => {
      const sent = await push(at, kid)
      const authorization = sent.headers.get('authorization') ?? ''
      sent.headers.set('acme-token', authorization.slice(7))
      return outcomeOf(receiver, sent)
    }
    return { clock, statusOf }
  }

  test('that nobody knows is 401, and not asked for again for 10 s; a failure is 503', async () => {
    const get = vi.fn(async (): Promise<object | undefined> => undefined)
    const { clock, statusOf } = receivingBy(get)
    for (let times = 0; times < 2; times++) expect(await statusOf(0)).toBe(REJECTED)
    expect(get).toHaveBeenCalledTimes(1)
    get.mockRejectedValue(new Error('no connection'))
    clock.now += 10_000
    expect(await statusOf(0)).toBe(AWAY)
  })

  test('that the service withdraws is not accepted any more; while nobody can say so, it is, for a day', async () => {
    const get = vi.fn(async (): Promise<object | undefined> => KEY)
    const { clock, statusOf } = receivingBy(get)
    expect(await statusOf(0)).toBe(204)
    get.mockRejectedValue(new Error('no connection'))
    clock.now += 601_000
    expect(await statusOf(0)).toBe(204)
    get.mockResolvedValue(undefined)
    clock.now += 10_000
    expect(await statusOf(0)).toBe(REJECTED)
    get.mockRejectedValue(new Error('no connection'))
    clock.now += 10_000
    expect(await statusOf(0)).toBe(AWAY)
  })

  test('is one of each algorithm, where two services have the same source', async () => {
    const { find } = keyById(async () => KEY)
    for (const size of ['256', '512'] as const) {
      const found = await find({ kid: 'k0' }, `RS${size}`)
      expect(found?.algorithm).toMatchObject({ hash: { name: `SHA-${size}` } })
    }
  })

  test('that is not got within 5 s, or is no key, is 503', async () => {
    vi.useFakeTimers()
    const { statusOf } = receivingBy(() => new Promise(() => {}))
    const status = statusOf(0)
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
    vi.advanceTimersByTime(5000)
    expect(await status).toBe(AWAY)
    const wrapped = receivingBy(async () => ({ key: KEY }))
    expect(await wrapped.statusOf(0)).toBe(AWAY)
  })

  test('is not asked for where it is no id', async () => {
    const get = vi.fn(async () => undefined)
    const { statusOf } = receivingBy(get)
    for (const kid of ['', '../x', 'a b', 'x'.repeat(129)]) {
      expect(await statusOf(0, kid)).toBe(REJECTED)
    }
    expect(get).not.toHaveBeenCalled()
  })
})

test('a request for another account is not asked to prove itself again for each account', async () => {
  const verify = vi.spyOn(crypto.subtle, 'verify')
  const accounts = { other: 'other@example.com', ours: ACCOUNT, third: 'third@example.com' }
  const { verification } = await createReceiver(accounts, {
    scheme: pubsub.scheme,
    now: () => NOW * 1000,
  }).receiveRequest(request(pubsub))
  expect(verification.secretName).toBe('ours')
  expect(verify).toHaveBeenCalledTimes(1)
})

test('a key that jose does not accept is not accepted for a header that another key had', async () => {
  const usages = ['sign', 'verify'] as const
  const pairWith = (hash: string) => {
    const exponent = Uint8Array.of(1, 0, 1)
    const how = { name: 'RSASSA-PKCS1-v1_5', hash, modulusLength: 2048, publicExponent: exponent }
    return crypto.subtle.generateKey(how, false, usages)
  }
  const [right, wrong] = await Promise.all([pairWith('SHA-256'), pairWith('SHA-512')])
  let current = right
  const keys = { from: 'a test', isShared: false, find: () => current.publicKey }
  const body = { claim: 'hash', encoding: 'hex' } as const
  const scheme = jwtScheme({ ...service, algorithm: 'RS256', keys, body, expires: false })
  const receiver = createReceiver('acme', { scheme, onRejected: false })
  const statusOf = async () => {
    const hash = createHash('sha256').update('{}').digest('hex')
    const parts = [{ alg: 'RS256' }, { hash }].map((part) => encoded(JSON.stringify(part)))
    const input = parts.join('.')
    const signature = await crypto.subtle.sign(
      current.privateKey.algorithm,
      current.privateKey,
      Buffer.from(input),
    )
    const token = `${input}.${Buffer.from(signature).toString('base64url')}`
    const sent = { method: 'POST', headers: { 'acme-token': token }, body: '{}' }
    return outcomeOf(receiver, new Request(audience, sent))
  }
  expect([await statusOf(), await statusOf()]).toEqual([204, 204])
  current = wrong
  expect(await statusOf()).not.toBe(204)
  current = right
  expect(await statusOf()).toBe(204)
})

test.each([{}, { b64: 'false' }, { b64: 1 }, { b64: null }, { b64: true, crit: ['b64', 'x'] }])(
  'a detached HS256 signature whose header names b64 and has %j is malformed, as for jose',
  async (header) => {
    const [secret, body] = ['a secret of sixteen', '{"id":"1"}']
    const text = JSON.stringify({ alg: 'HS256', crit: ['b64'], ...header })
    const [head, payload] = [encoded(text), encoded(body)]
    const signature = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')
    const how = { algorithm: 'HS256', keys: 'secret', body: 'detached' } as const
    const scheme = jwtScheme({ ...service, ...how })
    const sent = new Request(audience, {
      method: 'POST',
      headers: { 'acme-token': `${head}..${signature}` },
      body,
    })
    const receiver = createReceiver(secret, { scheme, onRejected: false })
    const reason = 'signature_malformed'
    await expect(receiver.receiveRequest(sent)).rejects.toMatchObject({ reason })
    const parts = { protected: head, payload, signature }
    await expect(flattenedVerify(parts, Buffer.from(secret))).rejects.toThrow()
  },
)
