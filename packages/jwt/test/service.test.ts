import { X509Certificate } from 'node:crypto'
import { createReceiver, memoryStore, type Scheme, webhookHandler } from '@webhook-receiver/core'
import { signedRequest } from '@webhook-receiver/core/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  appStore,
  certificateChain,
  googleCloudTasks,
  googlePubSub,
  type JwtService,
  jwks,
  jwtScheme,
  keyById,
  livekit,
  qstash,
} from '../src/index.ts'
import { withTestKey } from '../src/testing.ts'
import chains from './chains.json' with { type: 'json' }
import {
  ACCOUNT,
  apple,
  audience,
  NOW,
  now,
  pubsub,
  received,
  request,
  signingUrl,
  transaction,
  worlds,
} from './worlds.ts'

/** Apple Root CA - G3, as many have published it. */
const APPLE = '63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179'
/** What its certificates are marked with. */
const MARKS = { leaf: '1.2.840.113635.100.6.11.1', intermediate: '1.2.840.113635.100.6.2.1' }
const ORIGIN = 'https://keys.example.com'
const push = {
  name: 'acme',
  token: { header: 'authorization', bearer: true },
  algorithm: 'RS256',
  keys: jwks(`${ORIGIN}/jwks.json`),
  body: 'unsigned',
  audience,
  account: 'email',
  id: { header: 'x-id' },
} as const satisfies JwtService

describe('a service that would accept what is meant for others is a TypeError', () => {
  test.each<[string, Partial<JwtService>, RegExp]>([
    ['no account', { account: undefined }, /`account` is missing/],
    ['no audience', { audience: undefined }, /`audience` is missing/],
    ['a MAC by public keys', { algorithm: 'HS256' }, /lets everybody sign/],
    [
      'a public algorithm by a secret',
      { keys: 'secret', account: undefined },
      /lets everybody sign/,
    ],
    ['an account beside a secret', { keys: 'secret', algorithm: 'HS256' }, /left out/],
    ['an unsigned body without an id', { id: undefined }, /`id` is missing/],
    ['claims of a token in a header', { body: 'claims' }, /if the token is in the body/],
    ['a header in upper case', { token: { header: 'Authorization' } }, /lower case/],
    ['claims of a detached signature', { body: 'detached' }, /has no claims/],
    ['nested claims', { nested: ['/x'] }, /needs the body/],
    ['a pointer without a slash', { id: { pointer: 'id' } }, /a place should be/],
    ['another algorithm', { algorithm: 'none' as never }, /algorithm/],
    [
      'a misspelt property',
      { isuer: 'x' } as object,
      /"isuer" of a service\. Did you mean "issuer"/,
    ],
    [
      'a misspelt part of one',
      { token: { header: 'x', berer: true } as never },
      /`token` should be/,
    ],
    ['a body that nothing covers', { body: 'signed' as never }, /`body` should be/],
    [
      'an audience that is not a text',
      { audience: new Map([['a', 1]]) as never },
      /`audience` should/,
    ],
    ['keys that are not found by a function', { keys: {} as never }, /`keys` should be/],
    ['an id that is text', { id: 'x-id' as never }, /a place should be/],
  ])('%s', (_, change, message) => {
    const make = () => jwtScheme({ ...push, ...change } as JwtService)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  const get = async () => undefined
  const chain = { from: 'Acme', roots: ['00'.repeat(32)], leaf: '1.2.3', intermediate: '1.2.4' }
  const shared = { keys: keyById(get, { isShared: true }), account: undefined }
  test.each<[make: () => unknown, message: RegExp]>([
    [() => jwtScheme({ ...push, ...shared }), /`account` is missing/],
    [() => googlePubSub({ audience: undefined as never }), /`audience` is missing/],
    [() => googleCloudTasks({ audience: '' }), /`audience` is missing/],
    [() => appStore(), /`appAppleId` is missing/],
    // As an environment variable has it: no delivery has the number as text.
    [() => appStore({ appAppleId: '1' as never }), /`appAppleId` is missing/],
    [() => appStore({ environment: 'sandbox' as never }), /`environment`/],
    [() => certificateChain({ ...chain, roots: [] }), /`roots`/],
    [() => certificateChain({ ...chain, roots: ['AB'] }), /`roots`/],
    [() => certificateChain({ ...chain, leaf: 'x' }), /no object identifier/],
    [() => keyById('x' as never), /./],
    [
      () => createReceiver('113774264463038321964', { scheme: pubsub.scheme }),
      /^The secret of the endpoint "google-pubsub" is not the email of an account/,
    ],
  ])('%s', (make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  test('but where the keys are of one account, or the app has its number, no more is needed', () => {
    const isOneAccount = {
      keys: jwks(`${ORIGIN}/jwks`, { isOneAccount: true }),
      account: undefined,
    }
    expect(jwtScheme({ ...push, ...isOneAccount, audience: undefined }).name).toBe('acme')
    expect(jwtScheme({ ...push, keys: keyById(get), account: undefined }).name).toBe('acme')
    expect(appStore({ appAppleId: 1 }).name).toBe('app-store')
  })
})

describe('where the body is not signed', () => {
  const handlerWith = (duplicates: unknown) => () =>
    webhookHandler(ACCOUNT, () => {}, {
      scheme: pubsub.scheme as Scheme,
      store: memoryStore(),
      duplicates: duplicates as never,
    })

  test("`duplicates: 'body'` is a TypeError, and with a store, one has to choose", () => {
    expect(handlerWith('body')).toThrow(
      "`duplicates` should be 'id' or a function of the delivery: google-pubsub does not sign the body",
    )
    expect(handlerWith(undefined)).toThrow(
      "`duplicates` is missing: google-pubsub does not sign the id of a delivery, so choose 'id' or a function of the delivery.",
    )
  })

  test('each message runs once by its own id, whatever else differs in a retry', async () => {
    const handle = vi.fn()
    const handler = webhookHandler(ACCOUNT, handle, {
      scheme: pubsub.scheme as Scheme,
      store: memoryStore(),
      duplicates: 'id',
      now,
    })
    const sent = (messageId: string, deliveryAttempt: number) =>
      handler(
        request(pubsub, {
          body: JSON.stringify({ message: { messageId }, deliveryAttempt }),
          claims: { iat: NOW - deliveryAttempt },
        }),
      )
    const ids = ['1', '2', '1', '3', '2']
    for (const [attempt, id] of ids.entries()) expect((await sent(id, attempt)).status).toBe(204)
    expect(handle.mock.calls.map(([{ id }]) => id)).toEqual(['1', '2', '3'])
  })

  test('it says so, and a message without an id is 400', async () => {
    const { verification, delivery } = await received(pubsub)
    expect(verification.unsigned).toEqual(['id', 'body'])
    const id = [{ pointer: '/id' }, { header: 'x-id' }] as const
    const body = { claim: 'sha256', encoding: 'hex' } as const
    expect(jwtScheme({ ...push, body, id }).unsigned).toEqual(['id'])
    expect(delivery).toEqual({
      scheme: 'google-pubsub',
      id: 'm1',
      data: { message: { data: 'aGVsbG8=', messageId: 'm1' }, subscription: 's' },
    })
    await expect(received(pubsub, { body: '{"message":{}}' })).rejects.toMatchObject({
      status: 400,
      reason: 'envelope_invalid',
    })
  })
})

describe('what the operator reads', () => {
  test.each<[typeof pubsub, Parameters<typeof received>[1], string]>([
    [
      pubsub,
      { claims: { aud: 'https://other.example' } },
      'The token is signed, but its audience (aud) is "https://other.example", and not "https://example.com/webhooks".',
    ],
    [
      pubsub,
      { claims: { email: 'a@b.example' } },
      'The token is signed, but it is of another account (email: "a@b.example").',
    ],
    [
      pubsub,
      { header: { kid: 'x' } },
      'The token is signed, but by no key of www.googleapis.com (it names "x").',
    ],
    [
      pubsub,
      { claims: { exp: NOW - 3600 } },
      'The signature is valid, but it expired 1 hour ago. Check the clock here (NTP). It may also be a replay, or a retry with its first signature.',
    ],
    [
      pubsub,
      { alg: 'RS512' },
      'authorization names the algorithm "RS512". It should be a token behind "Bearer" signed by RS256.',
    ],
    [
      signingUrl,
      { body: '{"a":2}' },
      'The token is signed, but its body is not the SHA-256 of the 7 bytes of the body. A proxy or your code may have changed them.',
    ],
    [
      signingUrl,
      { claims: { sub: 'http://x.example' } },
      'The token is signed, but its sub is "http://x.example", and the public URL is "https://example.com/webhooks".',
    ],
  ])('$0.name: %j', async (world, making, detail) => {
    await expect(received(world, making)).rejects.toMatchObject({ detail })
  })

  test('of a body that is larger than one that holds a token may be', async () => {
    const body = JSON.stringify({ filler: 'x'.repeat(1_048_577), signedPayload: 'a.b.c' })
    const receiver = createReceiver('com.example.app', { scheme: apple.scheme, limit: 4_000_000 })
    const request = new Request('https://example.com/webhooks', { method: 'POST', body })
    await expect(receiver.receiveRequest(request)).rejects.toMatchObject({
      reason: 'signature_malformed',
      detail: `The property "signedPayload" of the body is in a body of ${body.length} bytes, of which at most 1048576 are read. It should be a token signed by ES256.`,
    })
  })

  test('the tolerance of a token that says until when it is valid is a TypeError', () => {
    expect(() => createReceiver('a secret of sixteen', { scheme: livekit, tolerance: 10 })).toThrow(
      'LiveKit signs until when a request is valid',
    )
  })
})

test('a key in PEM as the shared secret is a TypeError: with a public key, anybody could sign', () => {
  for (const kind of ['PUBLIC KEY', 'CERTIFICATE']) {
    const pem = `-----BEGIN ${kind}-----\nMFkwEwYHKoZIzj0CAQ\n-----END ${kind}-----`
    expect(() => createReceiver(pem, { scheme: livekit })).toThrow(
      'begins with "-----BEGIN": that is a key or a certificate, and no shared secret.',
    )
  }
})

test.each([{ nwo: Date.now }, { now: 5 }])('rejects %j as options of keys', (options) => {
  expect(() => keyById(async () => ({}), options as object)).toThrow(TypeError)
  expect(() => jwks('https://example.com/keys', options as object)).toThrow(TypeError)
})

test.each(['current', 'next'])('a rotation accepts what the key %s has signed', async (name) => {
  const key = Object(signingUrl.secret)[name]
  const { verification } = await received({ ...signingUrl, key })
  expect(verification.secretName).toBe(name)
})

describe('the App Store', () => {
  test('has its event and action, and the transaction in place of its token', async () => {
    const { delivery, verification } = await received(apple)
    expect(delivery).toMatchObject({
      id: '00000000-0000-4000-8000-000000000001',
      event: 'SUBSCRIBED',
      action: 'INITIAL_BUY',
      data: { data: { signedTransactionInfo: transaction } },
    })
    expect(verification.unsigned).toEqual([])
    expect(verification.key).toBe('00000000-0000-4000-8000-000000000001')
  })

  test('rejects a transaction that Apple has not signed', async () => {
    const data = Object(apple.claims.data)
    const signedTransactionInfo = String(data.signedTransactionInfo)
    for (const changed of [signedTransactionInfo.replace(/.{4}$/, 'AAAA'), 'x', 7]) {
      const claims = { data: { ...data, signedTransactionInfo: changed } }
      await expect(received(apple, { claims })).rejects.toMatchObject({ status: 401 })
    }
  })

  test('in production wants the number of the app', async () => {
    const scheme = appStore({ appAppleId: 7, roots: [chains.sha256], now })
    const data = { ...Object(apple.claims.data), environment: 'Production' }
    const world = { ...apple, scheme }
    await received(world, { claims: { data: { ...data, appAppleId: 7 } } })
    await expect(received(world, { claims: { data } })).rejects.toMatchObject({
      reason: 'token_rejected',
    })
  })

  test.each(['summary', 'appData'])('finds the app in its %s', async (name) => {
    const of = (bundleId: string) => {
      const claims = { data: undefined, [name]: { bundleId, environment: 'Sandbox' } }
      return received(apple, { claims })
    }
    await of('com.example.app')
    await expect(of('x')).rejects.toMatchObject({ reason: 'token_rejected' })
  })

  test('does not accept a chain when it is over', async () => {
    const late = () => Date.UTC(2126, 11, 1)
    const scheme = appStore({ environment: 'Sandbox', roots: [chains.sha256], now: late })
    await expect(received({ ...apple, scheme })).rejects.toMatchObject({ reason: 'token_rejected' })
  })

  const chainOf = (roots: readonly string[], at = now()) =>
    certificateChain({ from: 'Acme', roots, ...MARKS, now: () => at })

  test("reads Apple's own certificates, which lead to the root that is pinned", async () => {
    const find = async (day: string, algorithm: 'ES256' | 'RS256' = 'ES256', root = APPLE) =>
      chainOf([root], Date.parse(day)).find({ x5c: chains.apple.chain }, algorithm)
    expect((await find('2023-04-12'))?.algorithm).toMatchObject({
      ...{ name: 'ECDSA', namedCurve: 'P-256' },
    })
    expect(await find('2023-09-25')).toBeUndefined()
    expect(await find('2021-08-25')).toBeUndefined()
    expect(await find('2023-04-12', 'ES256', chains.sha256)).toBeUndefined()
    expect(await find('2023-04-12', 'RS256')).toBeUndefined()
  })

  test('keeps the key of a chain until the first certificate is over', async () => {
    const { chain: x5c } = chains.apple
    const ends = x5c.map((each) =>
      Date.parse(new X509Certificate(Buffer.from(each, 'base64')).validTo),
    )
    const clock = { now: Math.min(...ends) - 1 }
    const source = certificateChain({
      from: 'Acme',
      roots: [APPLE],
      ...MARKS,
      now: () => clock.now,
    })
    expect(await source.find({ x5c }, 'ES256')).toBeDefined()
    clock.now++
    expect(await source.find({ x5c }, 'ES256')).toBeUndefined()
  })

  test('takes no key of a certificate that may sign certificates, or whose signature ends within a byte', async () => {
    const { sha256, root, inter, leaf, authority } = chains.authority
    const bytes = Buffer.from(leaf, 'base64')
    // How many bits of its last byte do not count, in front of the sequence that a signature is.
    bytes[bytes.lastIndexOf(Uint8Array.of(0, 0x30))] = 1
    const find = async (first: string) =>
      chainOf([sha256]).find({ x5c: [first, inter, root] }, 'ES256')
    expect(await find(leaf)).toBeDefined()
    expect(await find(authority)).toBeUndefined()
    expect(await find(bytes.toString('base64'))).toBeUndefined()
  })

  test('knows a notification that was signed again by its content', async () => {
    const receiver = createReceiver('com.example.app', {
      scheme: apple.scheme as Scheme,
      duplicates: 'body',
      now,
    })
    const keyOf = async (claims: object) =>
      (await receiver.receiveRequest(request(apple, { claims: { ...claims } }))).verification.key
    expect(await keyOf({ signedDate: 1 })).toBe(await keyOf({ signedDate: 2 }))
    expect(await keyOf({ subtype: 'RESUBSCRIBE' })).not.toBe(await keyOf({}))
  })
})

describe('a test of an application', () => {
  test.each<[Scheme]>([[googlePubSub({ audience })], [googleCloudTasks({ audience })]])(
    'signs for $0.name with a test key',
    async (given) => {
      const { scheme } = await withTestKey(given)
      const receiver = createReceiver(ACCOUNT, { scheme, onRejected: false })
      const sent = (secret = ACCOUNT, by = scheme) =>
        signedRequest('push', { hello: 1 }, { secret, scheme: by, id: 'm1' })
      const { delivery } = await receiver.receiveRequest(await sent())
      expect(delivery).toMatchObject({ id: 'm1', data: { hello: 1 } })
      const other = receiver.receiveRequest(await sent('other@example.com'))
      await expect(other).rejects.toMatchObject({ reason: 'token_rejected' })
      await expect(sent(ACCOUNT, given)).rejects.toThrow(
        `Only ${scheme.name} itself can sign its deliveries.`,
      )
    },
  )

  test.each<[Scheme]>([[livekit], [qstash]])(
    'signs for $0.name with the secret',
    async (scheme) => {
      const secret = 'sig_a secret of sixteen'
      const sent = await signedRequest('e1', { hello: 1 }, { secret, scheme, id: 'i1' })
      const options = { scheme, publicUrl: 'http://localhost/webhooks' }
      expect((await createReceiver(secret, options).receiveRequest(sent)).delivery).toMatchObject({
        id: 'i1',
      })
      await expect(withTestKey(scheme)).rejects.toThrow('shares its secret')
    },
  )

  test('makes the body of the App Store', async () => {
    const { scheme, bodyOf, tokenOf } = await withTestKey(appStore({ appAppleId: 7 }))
    const data = {
      bundleId: 'com.example.app',
      environment: 'Production',
      appAppleId: 7,
      signedTransactionInfo: await tokenOf(transaction),
    }
    const body = await bodyOf({ notificationType: 'TEST', notificationUUID: 'n1', data })
    const sent = new Request(audience, { method: 'POST', body })
    const { delivery } = await createReceiver('com.example.app', { scheme }).receiveRequest(sent)
    expect(delivery).toMatchObject({
      event: 'TEST',
      data: { data: { signedTransactionInfo: transaction } },
    })
    await expect(withTestKey({ ...scheme })).rejects.toThrow('@webhook-receiver/jwt')
  })
})

test('claims may be written with spaces', async () => {
  const payload = JSON.stringify({ ...pubsub.claims, groups: ['a'], more: 1 }, undefined, 2)
  expect((await received(pubsub, { payload })).delivery).toMatchObject({ id: expect.any(String) })
})

test('a body that may be empty is an empty object', async () => {
  const tasks = worlds.find(({ name }) => name === 'google-cloud-tasks')
  if (!tasks) throw new Error('none')
  expect((await received(tasks, { body: '' })).delivery).toMatchObject({ data: {} })
})

test.each([
  ['nothing', undefined, '', undefined],
  ['nothing, where the body is another', undefined, ' ', 'is not the SHA-256'],
  ['a fault', 'of a test', '', 'The token is signed, but of a test.'],
])('an async `check` that finds %s is waited for', async (_, fault, more, detail) => {
  const acme = jwtScheme({
    ...{ name: 'acme', token: { header: 'x-token' }, algorithm: 'HS256', keys: 'secret' },
    ...{ body: { claim: 'sha256', encoding: 'hex' }, check: async () => fault },
  } as const)
  const secret = 'a secret of sixteen'
  const sent = await signedRequest('e1', {}, { secret, scheme: acme })
  const request = new Request(sent, { body: `${await sent.clone().text()}${more}` })
  const receiving = createReceiver(secret, { scheme: acme }).receiveRequest(request)
  if (detail === undefined) await expect(receiving).resolves.toBeDefined()
  else {
    const rejected = { reason: 'token_rejected', detail: expect.stringContaining(detail) }
    await expect(receiving).rejects.toMatchObject(rejected)
  }
})

test.each([
  ['account', 'key_unavailable'],
  ['check', 'key_unavailable'],
  ['keys.find', 'secret_unavailable'],
])(
  'rejects where `%s` throws undefined, with which Express would go on to the next handler',
  async (name, reason) => {
    const find = () => {
      throw undefined
    }
    const own = jwtScheme({
      ...{ name: 'acme', token: { header: 'x-token' }, algorithm: 'RS256', body: 'detached' },
      ...{
        keys: { from: 'a test', isShared: false, find },
        ...(reason === 'key_unavailable' && { [name]: find }),
      },
    } as const)
    const { scheme } = await withTestKey(own)
    const sent = await signedRequest('e1', {}, { secret: 'acme', scheme })
    const receiver = createReceiver('acme', { scheme: name === 'keys.find' ? own : scheme })
    await expect(receiver.receiveRequest(sent)).rejects.toMatchObject({ reason })
  },
)

test.each(['account', 'check'])(
  'rejects after 5 s where an async `%s` never ends',
  async (name) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const hanging = vi.fn(() => new Promise<never>(() => {}))
    const { scheme } = await withTestKey(
      jwtScheme({
        ...{ name: 'acme', token: { header: 'x-token' }, algorithm: 'RS256', body: 'detached' },
        ...{ keys: { from: 'a test', isShared: false, find: () => undefined }, [name]: hanging },
      } as const),
    )
    const sent = await signedRequest('e1', {}, { secret: 'acme', scheme })
    const rejected = expect(
      createReceiver('acme', { scheme }).receiveRequest(sent),
    ).rejects.toMatchObject({
      reason: 'key_unavailable',
      detail: expect.stringContaining(`\`${name}\` function failed: it took more than 5 s`),
    })
    await vi.waitFor(() => expect(hanging).toHaveBeenCalled())
    await vi.advanceTimersByTimeAsync(5000)
    await rejected
  },
)

test('a token for another audience is rejected before `account` is asked', async () => {
  const account = vi.fn(() => {
    throw new Error('asked')
  })
  const how = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const size = { modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) }
  const pair = await crypto.subtle.generateKey({ ...how, ...size }, false, ['sign', 'verify'])
  const sign = async (input: string) =>
    new Uint8Array(await crypto.subtle.sign(how, pair.privateKey, Buffer.from(input)))
  const find = async () => pair.publicKey
  const keys = { from: 'a test', isShared: false, find, signing: { id: 'test', sign } }
  const acme = (audience: string) =>
    jwtScheme({
      ...{ name: 'acme', token: { header: 'x-token' }, algorithm: 'RS256', keys },
      ...{ body: { claim: 'sha256', encoding: 'hex' }, audience, account },
    } as const)
  const sent = await signedRequest('e1', {}, { secret: 'acme', scheme: acme('another') })
  const rejected = createReceiver('acme', { scheme: acme('this') }).receiveRequest(sent)
  await expect(rejected).rejects.toMatchObject({ reason: 'token_rejected' })
  expect(account).not.toHaveBeenCalled()
})

test.each([true, false])('a token whose `expires` is %s is signed so', async (expires) => {
  const scheme = jwtScheme({
    ...{ name: 'acme', token: { header: 'x-token' }, algorithm: 'HS256', keys: 'secret' },
    ...{ body: { claim: 'sha256', encoding: 'hex' }, expires },
  } as const)
  const { headers } = await signedRequest('e1', {}, { secret: 'a secret of sixteen', scheme })
  const [, claims = ''] = headers.get('x-token')?.split('.') ?? []
  expect('exp' in JSON.parse(Buffer.from(claims, 'base64url').toString())).toBe(expires)
})
