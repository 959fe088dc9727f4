import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { defineScheme, type SchemeValue } from '../src/index.ts'
import { ACME } from './acme.ts'
import { ALL, verdict } from './vectors.ts'

const ping = { name: 'ping', when: { '/type': 'ping' }, response: { status: 200 } }
const shared = { algorithm: 'hmac-sha256', secret: 'text' }
const publicKey = { algorithm: 'ed25519', secret: 'base64', secretPrefix: 'pk_' }
const pairs = (change: object, field = 't') => ({
  signature: { header: 'acme', encoding: 'hex', separator: ',', field: 'v1', ...change },
  timestamp: { at: { field }, unit: 's' },
})

test.each<[object, RegExp]>([
  [{ name: 'a b' }, /`name` should be 1 to 64 letters/],
  [{ retry: true }, /no property "retry" in the scheme. There are: name/],
  [{ toString: true }, /no property "toString" in the scheme/],
  [{ signed: ['timestamp', 'body'] }, /`timestamp` of a scheme should say where/],
  [{ signed: ['body', 'body'] }, /`signed` of a scheme should have 'body' or 'form' once/],
  [{ signed: ['form'] }, /`body` of a scheme should be 'form'/],
  [{ timestamp: { at: { field: 't' }, unit: 's' } }, /`signature.field` of a scheme should name/],
  [{ bodyDigest: { query: 'sha' } }, /`bodyDigest` of a scheme should be part of a signed URL/],
  [
    { bodyDigest: { query: 'sha' }, signed: ['url', 'form'], body: 'form' },
    /`bodyDigest.form` of a scheme should say what every form has/,
  ],
  [
    { bodyDigest: { query: 'sha', form: { text: 'A.*', digits: 32 } } },
    /`bodyDigest.form.text` should be letters and digits/,
  ],
  [
    { requests: { others: [{ is: 'a test' }] } },
    /`requests.others` of a scheme should have the header/,
  ],
  [
    {
      timestamp: { at: { header: 'x-time' }, unit: 'any' },
      signed: ['timestamp', 'body'],
    },
    /`timestamp.unit` of a scheme should be one of the others/,
  ],
  [
    { timestamp: { at: { header: 'x-time' }, unit: 'utc' }, signed: ['timestamp', 'body'] },
    /`timestamp.unit` of a scheme should be one of the others/,
  ],
  [{ signed: ['.', 'body'] }, /got \["\.", "body"\]\. It has "\." at \[0\]\./],
  [{ id: [{ pointer: '$.id' }] }, /got an array\. It has \{"pointer":"\$\.id"\} at \[0\]\./],
  [{ retrys: true }, /in the scheme\. Did you mean "retries"\? There are: name/],
  [{ keys: [{ ...shared, secret: 'pem' }] }, /`keys.secret` of a scheme should be 'text'/],
  [{ keys: [{ ...publicKey, secret: 'text' }] }, /`keys.secret` of a scheme should be 'text'/],
  [{ keys: [{ ...publicKey, algorithm: 'rsa-sha256' }] }, /`keys.secret` of a scheme should/],
  [pairs({ separator: 'f' }), /`signature.separator` of a scheme should have a character/],
  [pairs({ field: 'v1=' }), /`signature.field` of a scheme should be a name/],
  [pairs({}, 't='), /`timestamp.at.field` of a scheme should be a name/],
  [pairs({}, 'v1'), /`timestamp.at.field` of a scheme should be another/],
  [
    { ...pairs({}), keys: [{ ...shared, prefix: 'a,' }] },
    /`keys.prefix` of a scheme should be without/,
  ],
  [{ urlSpellings: true }, /`urlSpellings` of a scheme should be part of a signed URL/],
  [{ urlDecoded: ':' }, /`urlDecoded` of a scheme should be part of a signed URL/],
  [
    { signed: ['url', 'body'], urlDecoded: ':', urlSpellings: true },
    /`urlDecoded` of a scheme should be left out/,
  ],
  [{ jsonField: 'payload' }, /`jsonField` of a scheme should belong to a form/],
  [{ id: undefined, idIsOptional: true }, /`idIsOptional` of a scheme should belong to an `id`/],
  [{ action: [{ pointer: '/action' }] }, /`action` of a scheme should belong to an `event`/],
  [{ requests: { secretAt: {} } }, /`requests.secretAt` of a scheme should have either/],
  [{ handshakes: [{ ...ping, unless: {} }] }, /no property "unless" in handshakes/],
  [
    { handshakes: [{ ...ping, response: { status: 204, echo: '/a' } }] },
    /`handshakes.response.status` of a scheme should allow a body/,
  ],
  [
    { handshakes: [{ ...ping, response: { status: 204, json: { type: 1 } } }] },
    /`handshakes.response.status` of a scheme should allow a body/,
  ],
  [
    {
      signed: ['timestamp', 'body'],
      timestamp: { at: { pointer: '/time' }, unit: 's' },
    },
    /`timestamp` of a scheme should say where/,
  ],
  [
    {
      keys: [
        { ...shared, secretPrefix: 'k_' },
        { ...publicKey, secretPrefix: 'k_pub_' },
      ],
    },
    /`keys.secretPrefix` of a scheme should tell/,
  ],
])('%j is a TypeError', (change, message) => {
  const value = { ...ACME, ...change } as SchemeValue
  expect(() => defineScheme(value)).toThrow(message)
  expect(() => defineScheme(value)).toThrow(TypeError)
})

test('a scheme of its value once more is the same', () => {
  const again = ALL.map(({ value }) => defineScheme(JSON.parse(JSON.stringify(value))))
  const facts = ({ headers, unsigned, tolerance, idHeader, signsUrl }: (typeof ALL)[number]) => ({
    headers,
    unsigned,
    tolerance,
    idHeader,
    signsUrl,
  })
  expect(again.map(facts)).toEqual(ALL.map(facts))
})

test('a scheme may sign a header behind the body, and neither can be another or end elsewhere', async () => {
  const scheme = defineScheme({
    ...ACME,
    signature: { header: 'acme-signature', encoding: 'base64url' },
    keys: [{ algorithm: 'hmac-sha512', secret: 'text' }],
    signed: ['body', { text: '|' }, { header: 'x-id' }],
  })
  const body = Uint8Array.from(Buffer.from('{"a":"$&"}'))
  const signature = createHmac('sha512', 'a secret')
    .update(body)
    .update('|id-1')
    .digest('base64url')
  const sent = (id: string, bytes = body) =>
    verdict(scheme, {
      ...{ secret: 'a secret', url: '', body: bytes },
      headers: { 'acme-signature': signature, 'x-id': id },
    })
  expect(await sent('id-1')).toBe('valid')
  expect(
    await sent(
      'id-1',
      body.map((byte) => byte ^ 1),
    ),
  ).toBe('mismatch')
  expect(await sent('id-2')).toBe('mismatch')
  expect(await sent('id|1')).toBe('signature_malformed')
})

test('a MAC counts for the key of its prefix only', async () => {
  const scheme = defineScheme({
    ...ACME,
    signature: { header: 'acme-signature', encoding: 'hex', separator: ',' },
    keys: [
      { algorithm: 'hmac-sha512', secret: 'text', secretPrefix: 'live_', prefix: 'l=' },
      { algorithm: 'hmac-sha512', secret: 'text', secretPrefix: 'test_', prefix: 't=' },
    ],
  })
  const body = Uint8Array.from(Buffer.from('{}'))
  const mac = createHmac('sha512', 'a secret').update(body).digest('hex')
  const signed = (text: string) => {
    const headers = { 'acme-signature': text }
    return verdict(scheme, { secret: 'live_a secret', url: '', headers, body })
  }
  expect(await signed(`l=${mac}`)).toBe('valid')
  expect(await signed(`t=${mac}`)).toBe('mismatch')
})

test('a time without a zone is in UTC', async () => {
  const scheme = defineScheme({
    ...ACME,
    signed: ['timestamp', { text: ':' }, 'body'],
    timestamp: { at: { header: 'x-time' }, unit: 'utc' },
  })
  const body = Uint8Array.from(Buffer.from('{}'))
  const signed = (time: string) => {
    const mac = createHmac('sha256', 'a secret').update(`${time}:{}`).digest('hex')
    const headers = { 'x-time': time, 'x-signature': mac }
    return verdict(scheme, { secret: 'a secret', url: '', headers, body })
  }
  expect(await signed('2026-11-23T07:00:00.5')).toBe('valid')
  expect(await signed('2026-11-23T07:00:00Z')).toBe('valid')
  expect(await signed('1795392000')).toBe('signature_malformed')
  const head = { 'x-time': '2026-11-23T07:00:00.5' }
  expect(scheme.claimedTime?.((name) => Reflect.get(head, name))).toBe(1_795_417_200_500)
  const parts = { id: '', event: '', time: 1_795_417_200_500, url: '' }
  const key = await scheme.importKey('a secret', 'The secret')
  expect(await scheme.sign?.(key, body, parts)).toHaveProperty('x-time', '2026-11-23T07:00:00.500')
})

test('a handshake meets all of its conditions', async () => {
  const when = { '/type': 'ping', '/version': 1 }
  const scheme = defineScheme({ ...ACME, handshakes: [{ ...ping, when }] })
  const handshakeIn = async (content: object) => {
    const body = Uint8Array.from(Buffer.from(JSON.stringify(content)))
    const header = () => createHmac('sha256', 'a secret').update(body).digest('hex')
    return scheme.handshake?.(scheme.readHead({ method: 'POST', header }), body, undefined)
  }
  expect(await handshakeIn({ type: 'ping', version: 1 })).toMatchObject({ name: 'ping' })
  expect(await handshakeIn({ type: 'ping', version: 2 })).toBeUndefined()
  expect(await handshakeIn({ version: 1 })).toBeUndefined()
})
