import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { createReceiver, type Received, type Scheme } from '@webhook-receiver/core'
import {
  appStore,
  googleCloudTasks,
  googlePubSub,
  type JwtService,
  jwks,
  jwtScheme,
  keyById,
  livekit,
  qstash,
} from '../src/index.ts'
import chains from './chains.json' with { type: 'json' }

export const NOW = 1_800_000_000
export const now = (): number => NOW * 1000
export const audience = 'https://example.com/webhooks'
export const ACCOUNT = 'push@my-project.iam.gserviceaccount.com'
const BUNDLE = 'com.example.app'

type Json = Readonly<Record<string, unknown>>

/** How a token is made. Node's own crypto signs, none of ours. */
export interface Making {
  readonly header?: Json
  readonly claims?: Json
  /** In place of the claims. */
  readonly payload?: string | undefined
  readonly alg?: string
  readonly key?: KeyObject | string | undefined
  /** Changes the token that was made. */
  readonly edit?: (token: string) => string
  /** What is sent in place of the body that was signed. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A service with a receiver, and somebody who can sign for it. */
export interface World {
  readonly name: string
  readonly scheme: Scheme
  readonly secret: string | Readonly<Record<string, string>>
  readonly service: Pick<JwtService, 'algorithm' | 'body' | 'token'>
  readonly key: KeyObject | string
  readonly publicKey?: KeyObject
  readonly header: Json
  readonly claims: Json
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  readonly publicUrl?: string
  /** A key of the same service that another token names. */
  readonly other?: { readonly key: KeyObject; readonly header: Json }
  readonly fetched: readonly string[]
}

const rsa = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
const ec = [1, 2].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }))
const SECRET = 'a secret of the tests that signs nothing else'

/** The key that signs, and another one of the same service. */
function keysOf(pairs: typeof rsa, kid: string) {
  const [one, other] = pairs as [(typeof rsa)[number], (typeof rsa)[number]]
  return {
    key: one.privateKey,
    publicKey: one.publicKey,
    other: { key: other.privateKey, header: { kid: `${kid}-1` } },
    header: { kid: `${kid}-0` },
  }
}

const HASHES: Json = { 256: 'sha256', 384: 'sha384', 512: 'sha512' }
const url = (text: string | Buffer) => Buffer.from(text).toString('base64url')
const sha256 = (text: string, encoding: 'base64' | 'base64url' | 'hex') =>
  createHash('sha256').update(text).digest(encoding)

function signature(alg: string, key: KeyObject | string, input: string | Buffer): string {
  const hash = String(HASHES[alg.slice(2)])
  if (alg.startsWith('HS')) return createHmac(hash, key).update(input).digest('base64url')
  const signing = typeof key === 'string' ? key : { key, dsaEncoding: 'ieee-p1363' as const }
  return sign(hash, Buffer.from(input), signing).toString('base64url')
}

/** A token in its three parts. */
export function token(world: World, making: Making = {}): string {
  const { header, claims, payload, alg = world.service.algorithm, key = world.key, edit } = making
  const isDetached = world.service.body === 'detached'
  const head = { alg, typ: 'JWT', ...world.header, ...header }
  const content =
    payload ?? (isDetached ? world.body : JSON.stringify({ ...world.claims, ...claims }))
  const input = `${url(JSON.stringify(head))}.${url(content)}`
  const made = `${input}.${signature(alg, key, input)}`
  const written = isDetached ? made.replace(/\..*\./, '..') : made
  return edit ? edit(written) : written
}

export function request(world: World, making: Making = {}): Request {
  const { token: place } = world.service
  const made = token(world, making)
  const inHeader =
    'header' in place ? { [place.header]: `${place.bearer ? 'Bearer ' : ''}${made}` } : {}
  const body =
    making.body ?? ('property' in place ? JSON.stringify({ [place.property]: made }) : world.body)
  const headers = {
    'content-type': 'application/json',
    ...world.headers,
    ...inHeader,
    ...making.headers,
  }
  return new Request(audience, { method: 'POST', headers, body })
}

export async function received(world: World, making: Making = {}): Promise<Received<object>> {
  const { scheme, secret, publicUrl } = world
  const options = { scheme, now, onRejected: false as const, ...(publicUrl && { publicUrl }) }
  return createReceiver(secret, options).receiveRequest(request(world, making))
}

const times = { iat: NOW - 5, nbf: NOW - 5, exp: NOW + 300 }

/** Serves the public keys, and notes where it was asked. */
function served(keys: readonly Json[]) {
  const fetched: string[] = []
  const fetching: typeof fetch = async (input) => {
    fetched.push(String(input))
    return Response.json({ keys })
  }
  return { fetched, options: { fetch: fetching, now } }
}

const jwkOf = (key: KeyObject | undefined, kid: string, more: Json): Json => ({
  ...key?.export({ format: 'jwk' }),
  kid,
  use: 'sig',
  ...more,
})

const RSA_KEYS = rsa.map(({ publicKey }, at) => jwkOf(publicKey, `rsa-${at}`, { alg: 'RS256' }))

function google(
  name: string,
  scheme: (options: ReturnType<typeof served>['options']) => Scheme,
  more: Pick<World, 'body' | 'headers'>,
): World {
  const serving = served(RSA_KEYS)
  return {
    name,
    scheme: scheme(serving.options),
    secret: ACCOUNT,
    service: {
      algorithm: 'RS256',
      body: 'unsigned',
      token: { header: 'authorization', bearer: true },
    },
    ...keysOf(rsa, 'rsa'),
    claims: {
      iss: 'https://accounts.google.com',
      aud: audience,
      email: ACCOUNT,
      email_verified: true,
      sub: '113774264463038321964',
      iat: NOW - 5,
      exp: NOW + 3595,
    },
    fetched: serving.fetched,
    ...more,
  }
}

const livekitBody = JSON.stringify({ event: 'room_started', id: 'EV_1', createdAt: `${NOW}` })
const plaidBody = '{\n  "webhook_type": "ITEM",\n  "webhook_code": "ERROR",\n  "item_id": "i1"\n}'
const fireBody = JSON.stringify({ id: 'f1', eventType: 'transaction.created', workspaceId: 'ws-1' })

/** What Plaid documents, in the lines that its page shows: nothing that runs judges it. */
const plaidKeys = ec.map(({ publicKey }, at) =>
  jwkOf(publicKey, `ec-${at}`, { alg: 'ES256', expired_at: null }),
)
const plaid = {
  name: 'plaid',
  token: { header: 'plaid-verification' },
  algorithm: 'ES256',
  keys: keyById(async (id) => plaidKeys.find(({ kid }) => kid === id), { from: 'Plaid', now }),
  body: { claim: 'request_body_sha256', encoding: 'hex' },
  expires: false,
  tolerance: 300,
  event: { pointer: '/webhook_code' },
} as const satisfies JwtService

const detachedKeys = served(
  rsa.map(({ publicKey }, at) => jwkOf(publicKey, `rsa-${at}`, { alg: 'RS512' })),
)
const detached = {
  name: 'detached',
  token: { header: 'fireblocks-webhook-signature' },
  algorithm: 'RS512',
  keys: jwks('https://keys.example.com/.well-known/jwks.json', detachedKeys.options),
  body: 'detached',
  account: ({ workspaceId }: Json) => workspaceId,
  id: { pointer: '/id' },
  event: { pointer: '/eventType' },
} as const satisfies JwtService

const { certificates, keys: chainKeys } = chains
const CHAIN = [certificates.leaf, certificates.inter, certificates.root]

export const transaction = {
  transactionId: 't1',
  bundleId: BUNDLE,
  environment: 'Sandbox',
  signedDate: NOW * 1000,
}

function appleToken(claims: Json): string {
  const input = `${url(JSON.stringify({ alg: 'ES256', x5c: CHAIN }))}.${url(JSON.stringify(claims))}`
  return `${input}.${signature('ES256', privateKeyOf('leaf'), input)}`
}

export function privateKeyOf(name: keyof typeof chainKeys): KeyObject {
  return createPrivateKey({ key: chainKeys[name], format: 'jwk' })
}

export const apple: World = {
  name: 'app-store',
  scheme: appStore({ environment: 'Sandbox', roots: [chains.sha256], now }),
  secret: BUNDLE,
  service: { algorithm: 'ES256', body: 'claims', token: { property: 'signedPayload' } },
  key: privateKeyOf('leaf'),
  publicKey: createPublicKey(privateKeyOf('leaf')),
  header: { x5c: CHAIN },
  claims: {
    notificationType: 'SUBSCRIBED',
    subtype: 'INITIAL_BUY',
    notificationUUID: '00000000-0000-4000-8000-000000000001',
    version: '2.0',
    signedDate: NOW * 1000,
    data: {
      bundleId: BUNDLE,
      environment: 'Sandbox',
      signedTransactionInfo: appleToken(transaction),
    },
  },
  body: '',
  fetched: [],
}

export const pubsub: World = google(
  'google-pubsub',
  (options) => googlePubSub({ audience, ...options }),
  {
    body: JSON.stringify({ message: { data: 'aGVsbG8=', messageId: 'm1' }, subscription: 's' }),
  },
)

const livekitWorld: World = {
  name: 'livekit',
  scheme: livekit,
  secret: SECRET,
  service: {
    algorithm: 'HS256',
    body: { claim: 'sha256', encoding: 'base64' },
    token: { header: 'authorization' },
  },
  key: SECRET,
  header: {},
  claims: { iss: 'APIkey', ...times, sha256: sha256(livekitBody, 'base64') },
  body: livekitBody,
  fetched: [],
}

export const signingUrl: World = {
  name: 'qstash',
  scheme: qstash,
  secret: { current: `sig_${SECRET}`, next: `sig_next ${SECRET}` },
  service: {
    algorithm: 'HS256',
    body: { claim: 'body', encoding: 'base64url' },
    token: { header: 'upstash-signature' },
  },
  key: `sig_${SECRET}`,
  header: {},
  claims: {
    iss: 'Upstash',
    sub: audience,
    ...times,
    jti: 'jwt_1',
    body: `${sha256('{"a":1}', 'base64url')}=`,
  },
  body: '{"a":1}',
  headers: { 'upstash-message-id': 'msg_1' },
  publicUrl: audience,
  fetched: [],
}

export const worlds: readonly World[] = [
  livekitWorld,
  signingUrl,
  pubsub,
  google('google-cloud-tasks', (options) => googleCloudTasks({ audience, ...options }), {
    body: '{"order":1}',
    headers: { 'x-cloudtasks-taskname': '123' },
  }),
  apple,
  {
    name: 'plaid',
    scheme: jwtScheme(plaid),
    service: plaid,
    secret: 'client id of the account',
    ...keysOf(ec, 'ec'),
    claims: { iat: NOW - 5, request_body_sha256: sha256(plaidBody, 'hex') },
    body: plaidBody,
    fetched: [],
  },
  {
    name: 'detached',
    scheme: jwtScheme(detached),
    service: detached,
    secret: 'ws-1',
    ...keysOf(rsa, 'rsa'),
    claims: {},
    body: fireBody,
    fetched: detachedKeys.fetched,
  },
]
