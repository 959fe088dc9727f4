// Compares the services that sign by tokens with their own SDKs, in both directions where an SDK signs. Another implementation signs else.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createReceiver } from '@webhook-receiver/core'
import { appStore, googleCloudTasks, googlePubSub, livekit, qstash } from '@webhook-receiver/jwt'
import { flag, readCommandLine } from '../command-line.mjs'
import { terminalTable } from '../table.mjs'
import { installSdks } from './install-sdks.mjs'

const USAGE = `npm run prove -- tokens [options]
  --latest  the newest SDKs instead of those that were last compared
Installs the SDKs in workshop/prove/judges/token-sdks, and the newest ones in a temporary folder. Exits with 1 where an SDK and a
scheme disagree in a way that is not explained.`

const { latest } = readCommandLine(USAGE, { latest: flag() })
const newest = (dependencies) =>
  Object.fromEntries(Object.keys(dependencies).map((name) => [name, 'latest']))
const folder = installSdks(
  fileURLToPath(new URL('token-sdks', import.meta.url)),
  latest ? newest : undefined,
)
const load = async (name, file) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json')))
  const path = createRequire(join(folder, 'package.json')).resolve(file ?? name)
  const module = await import(pathToFileURL(path))
  return { version: manifest.version, ...module.default, ...module }
}
const { SignJWT, CompactSign, importJWK } = await load('jose')

const URL_OF_RECEIVER = 'https://example.com/webhooks'
const SECRET = 'sig_vectors only, never use them'
const ACCOUNT = 'push@my-project.iam.gserviceaccount.com'
const now = () => Math.floor(Date.now() / 1000)
const digest = (body, encoding) => createHash('sha256').update(body).digest(encoding)
const utf8 = (text) => new TextEncoder().encode(text)

/** Bodies at which verifiers stumble. */
const BODIES = {
  plain: '{"id":"1","event":"a"}',
  spaces: ' {\n"id" : "1","event":"a" }\n',
  'dollar and ampersand': '{"id":"1","event":"$& $$ $1"}',
  emoji: '{"id":"1","event":"👩🏽‍🚀 é"}',
  'CR LF': '{"id":"1","event":"a"}\r\n',
  '70 kB': JSON.stringify({ id: '1', event: '0123456789'.repeat(7000) }),
}

const chains = JSON.parse(
  readFileSync(new URL('../../../packages/jwt/test/chains.json', import.meta.url), 'utf8'),
)
const { certificates } = chains
const rsa = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
const jwk = { ...rsa[0].publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }
const fetching = async () => Response.json({ keys: [jwk] })

/** What differs from a valid token, for any service: whether it is still one. */
const TIMES = {
  'expired for 5 minutes': { exp: now() - 300, iat: now() - 600, nbf: now() - 600 },
  'without an end': { exp: undefined },
}

const SERVICES = [
  await judgeLiveKit(),
  await judgeQStash(),
  ...(await judgeGoogle()),
  await judgeApple(),
]
const rows = []
for (const service of SERVICES) rows.push(await judge(service))
if (latest) rmSync(folder, { recursive: true })
console.log(
  terminalTable(
    ['scheme', 'SDK', 'cases', 'accepted', 'SDK signs', 'we sign', 'explained', 'wrong'],
    rows,
  ),
)

/**
 * Every request of a service is given to both. `explained` says by the name of a case why one decides differently, and `signsOurs` asks
 * the SDK about what we sign.
 */
async function judge({
  name,
  sdk,
  scheme,
  secret,
  publicUrl,
  cases,
  verifies,
  explained = {},
  bySdk = 0,
}) {
  const receiver = createReceiver(secret, { scheme, publicUrl, onRejected: false })
  let [accepted, wrong, different, ours] = [0, 0, 0, 0]
  const all = [...cases]
  if (scheme.sign) {
    for (const [title, body] of Object.entries(BODIES)) {
      const key = await scheme.importKey(SECRET, 'The secret')
      const parts = {
        id: 'i1',
        event: 'a',
        time: Date.now(),
        url: URL_OF_RECEIVER,
        instance: 'APIkey',
      }
      const headers = await scheme.sign(key, utf8(body), parts)
      all.push({ name: `ours, ${title}`, headers, body, valid: true })
      ours++
    }
  }
  for (const one of all) {
    const sent = { method: 'POST', headers: one.headers, body: one.body }
    const isOurs = await receiver.receiveRequest(new Request(URL_OF_RECEIVER, sent)).then(
      () => true,
      ({ status }) => {
        if (status !== 401) throw new Error(`${name}, ${one.name}: the status is ${status}`)
        return false
      },
    )
    const judged = await Promise.resolve(verifies(one)).then(Boolean, () => false)
    if (isOurs) accepted++
    const why = isOurs === judged ? undefined : explained[one.name]
    if (why) different++
    if ((isOurs !== judged && !why) || isOurs !== one.valid) {
      wrong++
      process.exitCode = 1
      console.log(`${name}, ${one.name}: the SDK says ${judged}, and we say ${isOurs}.`)
    }
  }
  for (const [what, why] of Object.entries(explained)) console.log(`${name}, ${what}: ${why}.`)
  return [name, sdk, all.length, accepted, bySdk, ours, different, wrong].map(String)
}

function macToken(claims, { secret = SECRET, alg = 'HS256' } = {}) {
  const base = { iat: now(), nbf: now(), exp: now() + 300 }
  return new SignJWT({ ...base, ...claims })
    .setProtectedHeader({ alg, typ: 'JWT' })
    .sign(utf8(secret))
}

function unsignedToken(claims) {
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return `${encode({ alg: 'none' })}.${encode(claims)}.`
}

/** What no verifier of a MAC may take, and a token whose time has just passed. */
async function addForged(add, body, claims) {
  add('another body', `${body} `, await macToken(claims), false)
  const secret = 'another secret, of others'
  add('another secret', body, await macToken(claims, { secret }), false)
  add('HS512', body, await macToken(claims, { alg: 'HS512' }), false)
  add('no algorithm', body, unsignedToken({ ...claims, exp: now() + 300 }), false)
  add('expired for 30 s', body, await macToken({ ...claims, exp: now() - 30 }), true)
  for (const [title, change] of Object.entries(TIMES))
    add(title, body, await macToken({ ...claims, ...change }), false)
}

async function judgeLiveKit() {
  const { version, AccessToken, WebhookReceiver } = await load('livekit-server-sdk')
  const receiver = new WebhookReceiver('APIkey', SECRET)
  const cases = []
  const add = (name, body, token, valid) =>
    cases.push({ name, body, headers: { authorization: token }, valid })
  for (const [title, body] of Object.entries(BODIES)) {
    const token = new AccessToken('APIkey', SECRET)
    token.sha256 = digest(body, 'base64')
    add(`its own, ${title}`, body, await token.toJwt(), true)
  }
  const body = BODIES.plain
  const claims = { iss: 'APIkey', sha256: digest(body, 'base64') }
  add('by jose', body, await macToken(claims), true)
  add(
    'no padding',
    body,
    await macToken({ ...claims, sha256: claims.sha256.replace('=', '') }),
    true,
  )
  add('in hexadecimal', body, await macToken({ ...claims, sha256: digest(body, 'hex') }), false)
  add('of a participant', body, await participant(AccessToken), false)
  add('another API key', body, await macToken({ ...claims, iss: 'other' }), true)
  await addForged(add, body, claims)
  return {
    name: 'livekit',
    sdk: `livekit-server-sdk@${version}`,
    scheme: livekit,
    secret: SECRET,
    cases,
    bySdk: Object.keys(BODIES).length,
    verifies: async ({ body: text, headers }) => receiver.receive(text, headers.authorization),
    explained: {
      HS512: 'its SDK takes every HMAC, and LiveKit signs by HS256',
      'no padding': 'its SDK compares with the padding',
      'another API key': 'the secret is that of one API key, which the SDK is given too',
      'expired for 30 s': 'its clocks may be 10 s apart, and ours a minute',
    },
  }
}

async function participant(AccessToken) {
  const token = new AccessToken('APIkey', SECRET, { identity: 'participant' })
  token.addGrant({ roomJoin: true, room: 'r' })
  return token.toJwt()
}

async function judgeQStash() {
  const { version, Receiver } = await load('@upstash/qstash')
  const NEXT = 'sig_the next key of the vectors'
  const receiver = new Receiver({ currentSigningKey: SECRET, nextSigningKey: NEXT })
  const cases = []
  const add = (name, body, token, valid) =>
    cases.push({
      name,
      body,
      headers: { 'upstash-signature': token, 'upstash-message-id': 'm1' },
      valid,
    })
  const claimsOf = (body) => ({
    iss: 'Upstash',
    sub: URL_OF_RECEIVER,
    body: `${digest(body, 'base64url')}=`,
  })
  for (const [title, body] of Object.entries(BODIES)) {
    add(`by jose, ${title}`, body, await macToken(claimsOf(body)), true)
    add(`by the next key, ${title}`, body, await macToken(claimsOf(body), { secret: NEXT }), true)
  }
  const body = BODIES.plain
  const claims = claimsOf(body)
  add('no padding', body, await macToken({ ...claims, body: digest(body, 'base64url') }), true)
  add('an empty body', '', await macToken(claimsOf('')), true)
  add('another URL', body, await macToken({ ...claims, sub: `${URL_OF_RECEIVER}/` }), false)
  add('another issuer', body, await macToken({ ...claims, iss: 'other' }), false)
  await addForged(add, body, claims)
  return {
    name: 'qstash',
    sdk: `@upstash/qstash@${version}`,
    scheme: qstash,
    secret: { current: SECRET, next: NEXT },
    publicUrl: URL_OF_RECEIVER,
    cases,
    verifies: ({ body: text, headers }) =>
      receiver.verify({
        body: text,
        signature: headers['upstash-signature'],
        url: URL_OF_RECEIVER,
      }),
    explained: {
      HS512: 'its SDK takes every HMAC, and QStash signs by HS256',
      'expired for 30 s': 'its clocks may not be apart, and ours a minute',
      'without an end': 'its SDK takes a token that never ends',
    },
  }
}

async function judgeGoogle() {
  const { version, OAuth2Client } = await load('google-auth-library')
  const client = new OAuth2Client()
  const certificate = rsa[0].publicKey.export({ type: 'spki', format: 'pem' })
  const valid = {
    iss: 'https://accounts.google.com',
    aud: URL_OF_RECEIVER,
    email: ACCOUNT,
    email_verified: true,
  }
  const tokenOf = (claims, { key = rsa[0].privateKey, kid = 'k1', alg = 'RS256' } = {}) => {
    const base = { sub: '1137', azp: '1137', iat: now(), exp: now() + 3600 }
    return new SignJWT({ ...base, ...valid, ...claims })
      .setProtectedHeader({ alg, kid, typ: 'JWT' })
      .sign(key)
  }
  const tokens = [
    ['plain', await tokenOf({}), true],
    ['the other issuer', await tokenOf({ iss: 'accounts.google.com' }), true],
    ['another key', await tokenOf({}, { key: rsa[1].privateKey }), false],
    ['another kid', await tokenOf({}, { kid: 'k2' }), false],
    ['RS512', await tokenOf({}, { alg: 'RS512' }), false],
    ['no algorithm', unsignedToken({ ...valid, iat: now(), exp: now() + 300 }), false],
    ['another audience', await tokenOf({ aud: 'https://other.example' }), false],
    ['another issuer', await tokenOf({ iss: 'https://other.example' }), false],
    ['another account', await tokenOf({ email: 'other@example.com' }), false],
    ['an e-mail that is not verified', await tokenOf({ email_verified: false }), false],
    ['expired for 10 minutes', await tokenOf({ iat: now() - 4200, exp: now() - 600 }), false],
    ['expired for 4 minutes', await tokenOf({ iat: now() - 4200, exp: now() - 240 }), false],
    ['without an end', await tokenOf({ exp: undefined }), false],
    ['of the future', await tokenOf({ iat: now() + 600, exp: now() + 4200 }), false],
  ]
  const judged = {
    sdk: `google-auth-library@${version}`,
    secret: ACCOUNT,
    // What Google's sample for Pub/Sub does behind the signature: it compares the e-mail, and looks whether it is verified.
    async verifies({ headers }) {
      const ticket = await client.verifySignedJwtWithCertsAsync(
        headers.authorization.slice('Bearer '.length),
        { k1: certificate },
        URL_OF_RECEIVER,
        ['https://accounts.google.com', 'accounts.google.com'],
      )
      const { email, email_verified: isVerified } = ticket.getPayload()
      return email === ACCOUNT && isVerified
    },
    explained: { 'expired for 4 minutes': 'its clocks may be 5 minutes apart, and ours one' },
  }
  const casesWith = (body, more = {}) =>
    tokens.map(([name, token, isValid]) => ({
      name,
      body,
      valid: isValid,
      headers: { authorization: `Bearer ${token}`, ...more },
    }))
  const options = { audience: URL_OF_RECEIVER, fetch: fetching }
  return [
    {
      ...judged,
      name: 'google-pubsub',
      scheme: googlePubSub(options),
      cases: casesWith('{"message":{"messageId":"1"}}'),
    },
    {
      ...judged,
      name: 'google-cloud-tasks',
      scheme: googleCloudTasks(options),
      cases: casesWith('{}', { 'x-cloudtasks-taskname': '1' }),
    },
  ]
}

async function judgeApple() {
  const { version, SignedDataVerifier, Environment } = await load('@apple/app-store-server-library')
  const roots = [Buffer.from(certificates.root, 'base64')]
  const BUNDLE = 'com.example.app'
  const verifier = new SignedDataVerifier(roots, false, Environment.SANDBOX, BUNDLE)
  const signedBy = async (name, chain, claims, alg = 'ES256') =>
    new CompactSign(utf8(JSON.stringify(claims)))
      .setProtectedHeader({ alg, x5c: chain.map((each) => certificates[each]) })
      .sign(await importJWK(chains.keys[name], alg))
  const CHAIN = ['leaf', 'inter', 'root']
  const transaction = {
    transactionId: 't',
    bundleId: BUNDLE,
    environment: 'Sandbox',
    signedDate: Date.now(),
  }
  const data = {
    bundleId: BUNDLE,
    environment: 'Sandbox',
    signedTransactionInfo: await signedBy('leaf', CHAIN, transaction),
  }
  const notification = {
    notificationType: 'TEST',
    notificationUUID: 'u',
    version: '2.0',
    signedDate: Date.now(),
    data,
  }
  const cases = []
  const add = (name, signedPayload, valid) =>
    cases.push({ name, headers: {}, body: JSON.stringify({ signedPayload }), valid, signedPayload })
  add('plain', await signedBy('leaf', CHAIN, notification), true)
  for (const part of ['summary', 'appData'])
    add(
      part,
      await signedBy('leaf', CHAIN, {
        ...notification,
        data: undefined,
        [part]: { bundleId: BUNDLE, environment: 'Sandbox' },
      }),
      true,
    )
  add(
    'externalPurchaseToken',
    await signedBy('leaf', CHAIN, {
      ...notification,
      data: undefined,
      externalPurchaseToken: { bundleId: BUNDLE, externalPurchaseId: 'SANDBOX_1' },
    }),
    true,
  )
  add(
    'another app',
    await signedBy('leaf', CHAIN, { ...notification, data: { ...data, bundleId: 'com.other' } }),
    false,
  )
  add(
    'another environment',
    await signedBy('leaf', CHAIN, {
      ...notification,
      data: { ...data, environment: 'Production' },
    }),
    false,
  )
  add('no app', await signedBy('leaf', CHAIN, { ...notification, data: undefined }), false)
  const BROKEN = [
    ['leaffake', ['leaffake', 'interfake', 'otherroot']],
    ['leaffake', ['leaffake', 'interfake', 'root']],
    ['leafplain', ['leafplain', 'inter', 'root']],
    ['leafother', ['leafother', 'interplain', 'root']],
    ['leafca', ['leafca', 'leafplain', 'root']],
    ['leafnoca', ['leafnoca', 'internoca', 'root']],
    ['leafcritical', ['leafcritical', 'inter', 'root']],
    ['leaf', ['leaf', 'inter']],
    ['leaf', ['root', 'inter', 'leaf']],
    ['leaf', []],
  ]
  for (const [key, chain] of BROKEN)
    add(`the chain ${chain.join(', ') || 'none'}`, await signedBy(key, chain, notification), false)
  add('another key', await signedBy('leaffake', CHAIN, notification), false)
  const plain = cases[0].signedPayload
  add(
    'another payload',
    plain.replace(
      /\..*\./,
      `.${Buffer.from(JSON.stringify({ ...notification, version: '3' })).toString('base64url')}.`,
    ),
    false,
  )
  add('no algorithm', `${unsignedToken(notification)}`, false)
  const publicKey = createPublicKey(createPrivateKey({ key: chains.keys.leaf, format: 'jwk' }))
  const asSecret = utf8(publicKey.export({ type: 'spki', format: 'pem' }))
  add(
    'the public key as a secret',
    await new CompactSign(utf8(JSON.stringify(notification)))
      .setProtectedHeader({ alg: 'HS256', x5c: CHAIN.map((each) => certificates[each]) })
      .sign(asSecret),
    false,
  )
  return {
    name: 'app-store',
    sdk: `@apple/app-store-server-library@${version}`,
    scheme: appStore({ environment: 'Sandbox', roots: [chains.sha256] }),
    secret: BUNDLE,
    cases,
    async verifies({ signedPayload }) {
      const decoded = await verifier.verifyAndDecodeNotification(signedPayload)
      const { signedTransactionInfo } = decoded.data ?? {}
      if (signedTransactionInfo) await verifier.verifyAndDecodeTransaction(signedTransactionInfo)
      return true
    },
    explained: {
      'the chain leafcritical, inter, root':
        'its library does not look at extensions that have to be understood',
    },
  }
}
