// Compares the services that sign by tokens with their own SDKs, in both directions where an SDK signs. Another implementation signs else.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createReceiver } from '@webhook-receiver/core'
import { appStore, googleCloudTasks, googlePubSub, livekit, qstash } from '@webhook-receiver/jwt'
import { flag, readCommandLine } from '../command-line.mjs'
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
const rows = {}
for (const service of SERVICES) rows[service.name] = await judge(service)
if (latest) rmSync(folder, { recursive: true })
console.table(rows)

/** Every request of a service is given to both. `explained` says by the name of a case why one decides differently. */
async function judge({ name, sdk, scheme, secret, publicUrl, cases, verifies, explained = {} }) {
  const receiver = createReceiver(secret, { scheme, publicUrl, onRejected: false })
  const row = { SDK: sdk, cases: 0, accepted: 0, 'we sign': 0, explained: 0, wrong: 0 }
  const all = [...cases]
  for (const [title, body] of scheme.sign ? Object.entries(BODIES) : []) {
    const key = await scheme.importKey(SECRET, 'The secret')
    const url = URL_OF_RECEIVER
    const parts = { id: 'i1', event: 'a', time: Date.now(), url, instance: 'APIkey' }
    const headers = await scheme.sign(key, utf8(body), parts)
    all.push({ name: `ours, ${title}`, headers, body, valid: true })
    row['we sign']++
  }
  for (const { name: what, headers, body, valid, ...more } of all) {
    const request = new Request(URL_OF_RECEIVER, { method: 'POST', headers, body })
    const isOurs = await receiver.receiveRequest(request).then(
      () => true,
      ({ status }) => {
        if (status !== 401) throw new Error(`${name}, ${what}: the status is ${status}`)
        return false
      },
    )
    const judged = await Promise.resolve(verifies({ headers, body, ...more })).then(
      Boolean,
      () => false,
    )
    row.cases++
    if (isOurs) row.accepted++
    const why = isOurs === judged ? undefined : explained[what]
    if (why) row.explained++
    if ((isOurs !== judged && !why) || isOurs !== valid) {
      row.wrong++
      process.exitCode = 1
      console.log(`${name}, ${what}: the SDK says ${judged}, and we say ${isOurs}.`)
    }
  }
  for (const [what, why] of Object.entries(explained)) console.log(`${name}, ${what}: ${why}.`)
  return row
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

/** The claims of a valid token with a MAC, and what no verifier of a MAC may take, each with a body; one whose time has just passed is valid. */
async function macCases(claims, body) {
  const rows = [
    ['another body', false, await macToken(claims), `${body} `],
    ['another secret', false, await macToken(claims, { secret: 'another secret, of others' })],
    ['HS512', false, await macToken(claims, { alg: 'HS512' })],
    ['no algorithm', false, unsignedToken({ ...claims, exp: now() + 300 })],
    ['expired for 30 s', true, await macToken({ ...claims, exp: now() - 30 })],
  ]
  for (const [title, change] of Object.entries(TIMES))
    rows.push([title, false, await macToken({ ...claims, ...change })])
  return rows
}

async function judgeLiveKit() {
  const { version, AccessToken, WebhookReceiver } = await load('livekit-server-sdk')
  const receiver = new WebhookReceiver('APIkey', SECRET)
  const plain = BODIES.plain
  const claims = { iss: 'APIkey', sha256: digest(plain, 'base64') }
  const participant = new AccessToken('APIkey', SECRET, { identity: 'participant' })
  participant.addGrant({ roomJoin: true, room: 'r' })
  const rows = [
    ['by jose', true, await macToken(claims)],
    ['no padding', true, await macToken({ ...claims, sha256: claims.sha256.replace('=', '') })],
    ['in hexadecimal', false, await macToken({ ...claims, sha256: digest(plain, 'hex') })],
    ['of a participant', false, await participant.toJwt()],
    ['another API key', true, await macToken({ ...claims, iss: 'other' })],
    ...(await macCases(claims, plain)),
  ]
  for (const [title, body] of Object.entries(BODIES)) {
    const token = new AccessToken('APIkey', SECRET)
    token.sha256 = digest(body, 'base64')
    rows.push([`its own, ${title}`, true, await token.toJwt(), body])
  }
  return {
    name: 'livekit',
    sdk: `livekit-server-sdk@${version}`,
    scheme: livekit,
    secret: SECRET,
    cases: rows.map(([name, valid, token, body = plain]) => ({
      ...{ name, valid, body, headers: { authorization: token } },
    })),
    verifies: async ({ body, headers }) => receiver.receive(body, headers.authorization),
    explained: {
      HS512: 'its SDK takes every HMAC, and LiveKit signs by HS256',
      'no padding': 'its SDK compares with the padding',
      'another API key': 'the secret is that of one API key, which the SDK is given too',
      'expired for 30 s': 'its clocks may be 10 s apart, and ours a minute',
    },
  }
}

async function judgeQStash() {
  const { version, Receiver } = await load('@upstash/qstash')
  const NEXT = 'sig_the next key of the vectors'
  const receiver = new Receiver({ currentSigningKey: SECRET, nextSigningKey: NEXT })
  const plain = BODIES.plain
  const claimsOf = (body) => ({
    ...{ iss: 'Upstash', sub: URL_OF_RECEIVER, body: `${digest(body, 'base64url')}=` },
  })
  const claims = claimsOf(plain)
  const rows = [
    ['no padding', true, await macToken({ ...claims, body: digest(plain, 'base64url') })],
    ['an empty body', true, await macToken(claimsOf('')), ''],
    ['another URL', false, await macToken({ ...claims, sub: `${URL_OF_RECEIVER}/` })],
    ['another issuer', false, await macToken({ ...claims, iss: 'other' })],
    ...(await macCases(claims, plain)),
  ]
  for (const [title, body] of Object.entries(BODIES)) {
    for (const [by, secret] of Object.entries({ jose: SECRET, 'the next key': NEXT }))
      rows.push([`by ${by}, ${title}`, true, await macToken(claimsOf(body), { secret }), body])
  }
  return {
    name: 'qstash',
    sdk: `@upstash/qstash@${version}`,
    scheme: qstash,
    secret: { current: SECRET, next: NEXT },
    publicUrl: URL_OF_RECEIVER,
    cases: rows.map(([name, valid, token, body = plain]) => ({
      ...{ name, valid, body },
      headers: { 'upstash-signature': token, 'upstash-message-id': 'm1' },
    })),
    verifies: ({ body, headers }) =>
      receiver.verify({ body, signature: headers['upstash-signature'], url: URL_OF_RECEIVER }),
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
  const [issuer, other] = ['accounts.google.com', 'https://other.example']
  const claims = {
    ...{ iss: `https://${issuer}`, aud: URL_OF_RECEIVER, email: ACCOUNT, email_verified: true },
    ...{ sub: '1137', azp: '1137', iat: now(), exp: now() + 3600 },
  }
  const tokenOf = (change, { key = rsa[0].privateKey, kid = 'k1', alg = 'RS256' } = {}) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(key)
  const rows = [
    ['plain', true, await tokenOf({})],
    ['the other issuer', true, await tokenOf({ iss: issuer })],
    ['another key', false, await tokenOf({}, { key: rsa[1].privateKey })],
    ['another kid', false, await tokenOf({}, { kid: 'k2' })],
    ['RS512', false, await tokenOf({}, { alg: 'RS512' })],
    ['no algorithm', false, unsignedToken({ ...claims, exp: now() + 300 })],
    ['another audience', false, await tokenOf({ aud: other })],
    ['another issuer', false, await tokenOf({ iss: other })],
    ['another account', false, await tokenOf({ email: 'other@example.com' })],
    ['an e-mail that is not verified', false, await tokenOf({ email_verified: false })],
    ['expired for 10 minutes', false, await tokenOf({ iat: now() - 4200, exp: now() - 600 })],
    ['expired for 4 minutes', false, await tokenOf({ iat: now() - 4200, exp: now() - 240 })],
    ['without an end', false, await tokenOf({ exp: undefined })],
    ['of the future', false, await tokenOf({ iat: now() + 600, exp: now() + 4200 })],
  ]
  const options = { audience: URL_OF_RECEIVER, fetch: fetching }
  return [
    ['google-pubsub', googlePubSub(options), '{"message":{"messageId":"1"}}'],
    ['google-cloud-tasks', googleCloudTasks(options), '{}', { 'x-cloudtasks-taskname': '1' }],
  ].map(([service, scheme, body, more]) => ({
    name: service,
    sdk: `google-auth-library@${version}`,
    scheme,
    secret: ACCOUNT,
    cases: rows.map(([name, valid, token]) => ({
      ...{ name, valid, body, headers: { authorization: `Bearer ${token}`, ...more } },
    })),
    // What Google's sample for Pub/Sub does behind the signature: it compares the e-mail, and looks whether it is verified.
    async verifies({ headers }) {
      const ticket = await client.verifySignedJwtWithCertsAsync(
        headers.authorization.slice('Bearer '.length),
        { k1: certificate },
        URL_OF_RECEIVER,
        [claims.iss, issuer],
      )
      const { email, email_verified: isVerified } = ticket.getPayload()
      return email === ACCOUNT && isVerified
    },
    explained: { 'expired for 4 minutes': 'its clocks may be 5 minutes apart, and ours one' },
  }))
}

async function judgeApple() {
  const { version, SignedDataVerifier, Environment } = await load('@apple/app-store-server-library')
  const BUNDLE = 'com.example.app'
  const roots = [Buffer.from(certificates.root, 'base64')]
  const verifier = new SignedDataVerifier(roots, false, Environment.SANDBOX, BUNDLE)
  const CHAIN = ['leaf', 'inter', 'root']
  const signing = (content, alg, chain) =>
    new CompactSign(utf8(JSON.stringify(content))).setProtectedHeader({
      ...{ alg, x5c: chain.map((each) => certificates[each]) },
    })
  const signed = async (content, key = 'leaf', chain = CHAIN) =>
    signing(content, 'ES256', chain).sign(await importJWK(chains.keys[key], 'ES256'))
  const app = { bundleId: BUNDLE, environment: 'Sandbox' }
  const signedDate = Date.now()
  const data = {
    ...app,
    signedTransactionInfo: await signed({ ...app, transactionId: 't', signedDate }),
  }
  const none = { notificationType: 'TEST', notificationUUID: 'u', version: '2.0', signedDate }
  const notification = { ...none, data }
  const plain = await signed(notification)
  const payload = Buffer.from(JSON.stringify({ ...notification, version: '3' }))
  const publicKey = createPublicKey(createPrivateKey({ key: chains.keys.leaf, format: 'jwk' }))
  const asSecret = utf8(publicKey.export({ type: 'spki', format: 'pem' }))
  const token = { bundleId: BUNDLE, externalPurchaseId: 'SANDBOX_1' }
  const other = (change) => signed({ ...none, data: { ...data, ...change } })
  const rows = [
    ['plain', true, plain],
    ['summary', true, await signed({ ...none, summary: app })],
    ['appData', true, await signed({ ...none, appData: app })],
    ['externalPurchaseToken', true, await signed({ ...none, externalPurchaseToken: token })],
    ['another app', false, await other({ bundleId: 'com.other' })],
    ['another environment', false, await other({ environment: 'Production' })],
    ['no app', false, await signed(none)],
    ['another key', false, await signed(notification, 'leaffake')],
    ['another payload', false, plain.replace(/\..*\./, `.${payload.toString('base64url')}.`)],
    ['no algorithm', false, unsignedToken(notification)],
    [
      'the public key as a secret',
      false,
      await signing(notification, 'HS256', CHAIN).sign(asSecret),
    ],
  ]
  const BROKEN = [
    ...['leaffake interfake otherroot', 'leaffake interfake root', 'leafplain inter root'],
    ...['leafother interplain root', 'leafca leafplain root', 'leafnoca internoca root'],
    ...['leafcritical inter root', 'leaf inter', 'root inter leaf', ''],
  ]
  for (const text of BROKEN) {
    const chain = text.split(' ').filter(Boolean)
    const key = chain.find((each) => each.startsWith('leaf'))
    const name = `the chain ${chain.join(', ') || 'none'}`
    rows.push([name, false, await signed(notification, key, chain)])
  }
  return {
    name: 'app-store',
    sdk: `@apple/app-store-server-library@${version}`,
    scheme: appStore({ environment: 'Sandbox', roots: [chains.sha256] }),
    secret: BUNDLE,
    cases: rows.map(([name, valid, signedPayload]) => ({
      ...{ name, valid, headers: {}, body: JSON.stringify({ signedPayload }), signedPayload },
    })),
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
