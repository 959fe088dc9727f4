import { generateKeyPairSync } from 'node:crypto'
import { WebhookError } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import chains from './chains.json' with { type: 'json' }
import { type Making, NOW, privateKeyOf, received, token, type World, worlds } from './worlds.ts'

/** What an attacker sends, or why there is no such attack on this service. */
type Attack = (world: World) => Making | readonly Making[] | string

const NO_KEYS = 'its key is a shared secret'
const NO_IDS = 'its key has no id: it is a shared secret, or comes with a certificate'
const NO_CLAIMS = 'a detached signature has no claims: the body is what is signed'
const foreign = {
  RS: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ES: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  HS: 'another secret, of an attacker',
}
const keyLike = ({ service }: World) => foreign[service.algorithm.slice(0, 2) as 'RS' | 'ES' | 'HS']
const hasClaims = ({ service }: World) => service.body !== 'detached'
/** Tokens of which one claim has each of these values. */
const claim = (name: string, ...values: readonly unknown[]) =>
  values.map((value) => ({ claims: { [name]: value } }))
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** The token with another header and its old signature. */
const withHeader = (header: object) => (made: string) => made.replace(/^[^.]+/, encoded(header))

const ATTACKS: Readonly<Record<string, Attack>> = {
  'no algorithm, and no signature': () => [
    { edit: (made) => withHeader({ alg: 'none', typ: 'JWT' })(made).replace(/[^.]+$/, '') },
    { edit: withHeader({ alg: 'nOnE' }) },
    { edit: withHeader({}) },
    { edit: (made) => made.replace(/[^.]+$/, '') },
  ],
  'the public key as a shared secret': ({ publicKey }) => {
    if (!publicKey) return NO_KEYS
    const keys = [
      `${publicKey.export({ type: 'spki', format: 'pem' })}`,
      publicKey.export({ type: 'spki', format: 'der' }).toString('latin1'),
      JSON.stringify(publicKey.export({ format: 'jwk' })),
    ]
    return keys.flatMap((key) => [
      { alg: 'HS256', key },
      { alg: 'HS512', key },
    ])
  },
  'another algorithm, by the right key': ({ service: { algorithm } }) =>
    ['HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES512']
      .filter((alg) => alg.startsWith(algorithm.slice(0, 2)) && alg !== algorithm)
      .map((alg) => ({ alg })),
  'a key of the attacker': (world) => ({ key: keyLike(world) }),
  'a key of the attacker under the id of another key': (world) =>
    world.other
      ? [
          { key: keyLike(world), header: world.other.header },
          { header: world.other.header },
          { key: world.other.key },
        ]
      : NO_IDS,
  'an unknown id of a key, or none': (world) =>
    world.other ? ['nobody', undefined, '__proto__'].map((kid) => ({ header: { kid } })) : NO_IDS,
  'a key that the token brings': (world) => {
    const key = keyLike(world)
    if (typeof key === 'string') return { key, header: { jwk: { kty: 'oct', k: encoded(key) } } }
    return { key, header: { jwk: key.export({ format: 'jwk' }) } }
  },
  'a host that the token names': (world) =>
    ['jku', 'x5u', 'iss'].map((name) => ({
      key: keyLike(world),
      header: { [name]: 'https://attacker.example/keys' },
      claims: { iss: 'https://attacker.example' },
    })),
  'a certificate of the attacker': (world) => {
    const { certificates: made } = chains
    const chain = [made.leaffake, made.interfake, made.otherroot]
    const fake = privateKeyOf('leaffake')
    if (!world.service.algorithm.startsWith('ES'))
      return { key: keyLike(world), header: { x5c: chain } }
    const pairs = [
      ['leaffake', chain],
      ['leaffake', [made.leaffake, made.inter, made.root]],
      ['leafplain', [made.leafplain, made.inter, made.root]],
      ['leafother', [made.leafother, made.interplain, made.root]],
      ['leafca', [made.leafca, made.leafplain, made.inter, made.root]],
      ['leafcritical', [made.leafcritical, made.inter, made.root]],
      ['leafnoca', [made.leafnoca, made.internoca, made.root]],
      ['leaf', [made.leaf, made.root]],
      ['leaf', [made.leaf]],
      ['leaf', [made.root, made.inter, made.leaf]],
      ['leaf', [made.leaf, made.inter, made.root, made.root]],
      ['leaf', []],
    ] as const
    return world.header.x5c
      ? [
          ...pairs.map(([name, x5c]) => ({ key: privateKeyOf(name), header: { x5c } })),
          { key: fake },
          { header: { x5c: undefined } },
          { header: { x5c: 'AAAA' } },
          { header: { x5c: ['AAAA', 'AAAA', made.root] } },
        ]
      : { key: fake, header: { x5c: chain } }
  },
  'another issuer': (world) =>
    world.claims.iss === undefined || world.name === 'livekit'
      ? 'it is not pinned: the secret is that of one API key, or there is none'
      : claim('iss', 'https://attacker.example', undefined, [world.claims.iss]),
  'another audience': (world) =>
    world.claims.aud === undefined
      ? 'it has none'
      : claim('aud', undefined, '', `${world.claims.aud}/`, ['x'], { 0: world.claims.aud }),
  'another URL': (world) =>
    world.publicUrl === undefined
      ? 'it signs no URL'
      : claim('sub', undefined, 'https://example.com/other', [world.publicUrl]),
  'another account': (world) => {
    const { data, email } = world.claims
    if (world.name === 'detached') {
      const payload = '{"id":"f1","workspaceId":"ws-2"}'
      return { payload, body: payload }
    }
    if (world.name === 'app-store') {
      const { bundleId } = Object(data)
      const changes = [
        { bundleId: 'com.attacker.app' },
        { bundleId: undefined },
        { environment: 'Production' },
      ]
      return [
        ...changes.map((change) => ({ claims: { data: { ...Object(data), ...change } } })),
        { claims: { data: undefined } },
        { claims: { data: undefined, bundleId } },
      ]
    }
    const attacker = 'other@attacker.iam.gserviceaccount.com'
    const longer = `${email}.attacker.example`
    return email
      ? claim('email', attacker, longer, `${email}`.toUpperCase(), [email], undefined)
      : 'the secret or the key is that of one account'
  },
  'an email that nobody has verified': (world) =>
    world.claims.email ? claim('email_verified', false, undefined, 'true') : 'it names no email',
  expired: (world) =>
    world.claims.exp === undefined && world.name !== 'plaid'
      ? 'it does not say until when it is valid: without a store, a copy stays valid'
      : [
          { claims: { exp: NOW - 61, iat: NOW - 3700, nbf: NOW - 3700 } },
          { claims: { exp: 0, iat: 0, nbf: 0 } },
        ],
  'without an end, or with one in another form': (world) =>
    world.claims.exp === undefined
      ? 'it has none'
      : claim('exp', undefined, null, `${NOW + 300}`, [NOW + 300]),
  'of the future': (world) =>
    world.claims.iat === undefined
      ? 'it signs no time that is checked'
      : [...claim('iat', NOW + 400), ...(world.claims.nbf ? claim('nbf', NOW + 61) : [])],
  'a swapped body': (world) =>
    world.service.body === 'unsigned'
      ? 'unbound: whoever holds a token can write bodies until it expires, which its page says'
      : [
          world.service.body === 'claims' ? '{"signedPayload":"e30.e30.AAAA"}' : `${world.body} `,
          '{}',
          '',
        ].map((body) => ({ body })),
  'no hash of the body': (world) => {
    if (typeof world.service.body !== 'object') return 'it has none'
    const { claim: name } = world.service.body
    return claim(name, undefined, '', [world.claims[name]], '=')
  },
  'a token of another purpose': (world) =>
    world.name === 'livekit'
      ? { claims: { sha256: undefined, sub: 'participant', video: { roomJoin: true } } }
      : 'its key signs nothing else for customers',
  'a token that is huge': (world) =>
    world.name === 'app-store'
      ? { body: JSON.stringify({ signedPayload: `${'A'.repeat(900_000)}.e30.AAAA` }) }
      : [
          { header: { x: 'x'.repeat(16_384) } },
          { edit: (made) => `${made}${'A'.repeat(16_384)}` },
          { edit: (made) => `${'A'.repeat(1_000_000)}${made}` },
        ],
  'claims that are there twice': (world) =>
    hasClaims(world)
      ? [
          `{"iss":"https://accounts.google.com",${JSON.stringify(world.claims).slice(1, -1)},"iss":"x"}`,
          JSON.stringify(world.claims).replace(/^\{"(\w+)":/, '{"$1":"x","$1":'),
        ].map((payload) => ({ payload }))
      : NO_CLAIMS,
  'an extension that has to be understood': () =>
    [['exp'], ['b64'], [], 'b64', [1]].map((crit) => ({ header: { crit, x: 1 } })),
  'content that is not encoded': (world) =>
    world.service.body === 'detached'
      ? [{ header: { b64: false } }, { header: { b64: false, crit: [] } }]
      : [{ crit: ['b64'] }, {}, { b64: true, crit: ['b64'] }].map((header) => ({
          header: { b64: false, ...header },
        })),
  'a token in a token': (world) =>
    hasClaims(world) ? { header: { cty: 'JWT' }, payload: token(world) } : NO_CLAIMS,
  'an encrypted token, or another form': (world) => [
    { edit: (made) => `${made}.AAAA.AAAA` },
    { edit: (made) => `${made}, ${made}` },
    { edit: (made) => ` ${made}x` },
    { edit: (made) => made.replaceAll('.', '%2E') },
    ...(world.name === 'app-store'
      ? [
          `["${token(world)}"]`,
          `{"signedPayload":["${token(world)}"]}`,
          `{"signedPayload":"x","signedPayload":"${token(world)}"}`,
          `{"signedpayload":"${token(world)}"}`,
        ].map((body) => ({ body }))
      : []),
  ],
  'claims in another form': (world) =>
    hasClaims(world) ? ['null', '[]', '1', '{', ' '].map((payload) => ({ payload })) : NO_CLAIMS,
  'claims that are nested deeply': (world) =>
    world.name === 'app-store'
      ? { payload: `{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}` }
      : 'its token may not be that long',
  'other content under the old signature': (world) =>
    hasClaims(world)
      ? { edit: (made) => made.replace(/\.[^.]+\./, `.${encoded({ ...world.claims, x: 1 })}.`) }
      : { edit: (made) => made.replace('..', `.${encoded({})}.`) },
}

const rows = Object.entries(ATTACKS).flatMap(([attack, makings]) =>
  worlds.flatMap((world) => {
    const made = makings(world)
    if (typeof made === 'string') return []
    return [made].flat().map((making, at) => ({ attack, world, making, at, name: world.name }))
  }),
)

test.each(worlds)('$name accepts what its service signs', async (world) => {
  const { delivery } = await received(world)
  expect(delivery).toMatchObject({ scheme: world.name })
})

test.each(rows)('$name: $attack, form $at, is 401', async ({ making, world }) => {
  const before = world.fetched.length
  const thrown: unknown = await received(world, making).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(WebhookError)
  expect(thrown).toMatchObject({ status: 401 })
  // Never a host that a request names.
  for (const url of world.fetched.slice(before)) expect(url).not.toContain('attacker')
})

test.each(worlds)(
  '$name: the signature of another key is 401 where something has replaced Promise, as zone.js does',
  async (world) => {
    vi.stubGlobal('Promise', class extends Promise<unknown> {})
    expect((await received(world)).delivery).toMatchObject({ scheme: world.name })
    await expect(received(world, { key: keyLike(world) })).rejects.toMatchObject({ status: 401 })
  },
)

test('each service is attacked in at least 16 ways, and the rest has a reason', () => {
  for (const { name } of worlds) {
    const attacks = rows.filter((row) => row.name === name).map(({ attack }) => attack)
    expect(new Set(attacks).size, name).toBeGreaterThanOrEqual(16)
  }
})
