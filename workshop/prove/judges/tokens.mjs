// Compares the services that sign by tokens with their own SDKs, in both directions where an SDK signs. jose signs else.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createReceiver } from '@webhook-receiver/core'
import { appStore, googleCloudTasks, googlePubSub, livekit, qstash } from '@webhook-receiver/jwt'
import { flag, readCommandLine } from '../command-line.mjs'
import { installSdks } from './install.mjs'

const { latest } = readCommandLine(
  'prove -- tokens',
  'Exits with 1 where an SDK and a scheme disagree.',
  { latest: flag('the newest SDKs instead of those that were last compared') },
)
const newest = (dependencies) =>
  Object.fromEntries(Object.keys(dependencies).map((name) => [name, 'latest']))
const folder = installSdks(
  fileURLToPath(new URL('token-sdks', import.meta.url)),
  latest ? newest : undefined,
)
const load = async (name) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json')))
  const path = createRequire(join(folder, 'package.json')).resolve(name)
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

const rows = {}
const SERVICES = [
  await judgeLiveKit(),
  await judgeQStash(),
  ...(await judgeGoogle()),
  await judgeApple(),
]
for (const service of SERVICES) rows[service.name] = await judge(service)
if (latest) rmSync(folder, { recursive: true })
console.table(rows)

/** Every request of a service is given to both: its name, whether it is valid, its token, and its body if that is not the first one. */
async function judge({ name, sdk, scheme, secret, publicUrl, cases, bodyOf, headersOf, verifies }) {
  const receiver = createReceiver(secret, { scheme, publicUrl, onRejected: false })
  const row = { SDK: sdk, cases: 0, accepted: 0, 'we sign': 0, wrong: 0 }
  const all = cases.map(([what, valid, token, body = BODIES.plain]) => [
    ...[what, valid, headersOf(token), bodyOf?.(token) ?? body],
  ])
  for (const [title, body] of scheme.sign ? Object.entries(BODIES) : []) {
    const key = await scheme.importKey(SECRET, 'The secret')
    const parts = {
      id: 'i1',
      event: 'a',
      time: Date.now(),
      url: URL_OF_RECEIVER,
      instance: 'APIkey',
    }
    all.push([`ours, ${title}`, true, await scheme.sign(key, utf8(body), parts), body])
    row['we sign']++
  }
  for (const [what, valid, headers, body] of all) {
    const request = new Request(URL_OF_RECEIVER, { method: 'POST', headers, body })
    const isOurs = await receiver.receiveRequest(request).then(
      () => true,
      ({ status }) => {
        if (status !== 401) throw new Error(`${name}, ${what}: the status is ${status}`)
        return false
      },
    )
    const judged = await verifies({ headers, body }).then(Boolean, () => false)
    row.cases++
    if (isOurs) row.accepted++
    if (isOurs === judged && isOurs === valid) continue
    row.wrong++
    process.exitCode = 1
    console.log(`${name}, ${what}: the SDK says ${judged}, and we say ${isOurs}.`)
  }
  return row
}

function macToken(claims, secret = SECRET) {
  const times = { iat: now(), nbf: now(), exp: now() + 300 }
  return new SignJWT({ ...times, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(utf8(secret))
}

/** That both reject what they should. The tests of jwt try all other attacks. */
async function macCases(claims) {
  return [
    ['another body', false, await macToken(claims), `${BODIES.plain} `],
    ['another secret', false, await macToken(claims, 'another secret, of others')],
  ]
}

async function judgeLiveKit() {
  const { version, AccessToken, WebhookReceiver } = await load('livekit-server-sdk')
  const receiver = new WebhookReceiver('APIkey', SECRET)
  const claims = { iss: 'APIkey', sha256: digest(BODIES.plain, 'base64') }
  const cases = [['by jose', true, await macToken(claims)], ...(await macCases(claims))]
  for (const [title, body] of Object.entries(BODIES)) {
    const token = new AccessToken('APIkey', SECRET)
    token.sha256 = digest(body, 'base64')
    cases.push([`its own, ${title}`, true, await token.toJwt(), body])
  }
  return {
    ...{ name: 'livekit', sdk: `livekit-server-sdk@${version}`, scheme: livekit, secret: SECRET },
    cases,
    headersOf: (authorization) => ({ authorization }),
    verifies: async ({ body, headers }) => receiver.receive(body, headers.authorization),
  }
}

async function judgeQStash() {
  const { version, Receiver } = await load('@upstash/qstash')
  const NEXT = 'sig_the next key of the vectors'
  const receiver = new Receiver({ currentSigningKey: SECRET, nextSigningKey: NEXT })
  const claimsOf = (body) => ({
    ...{ iss: 'Upstash', sub: URL_OF_RECEIVER, body: `${digest(body, 'base64url')}=` },
  })
  const claims = claimsOf(BODIES.plain)
  const cases = [
    ['no padding', true, await macToken({ ...claims, body: digest(BODIES.plain, 'base64url') })],
    ['an empty body', true, await macToken(claimsOf('')), ''],
    ...(await macCases(claims)),
  ]
  for (const [title, body] of Object.entries(BODIES)) {
    for (const [by, secret] of Object.entries({ jose: SECRET, 'the next key': NEXT }))
      cases.push([`by ${by}, ${title}`, true, await macToken(claimsOf(body), secret), body])
  }
  return {
    ...{ name: 'qstash', sdk: `@upstash/qstash@${version}`, scheme: qstash, cases },
    ...{ secret: { current: SECRET, next: NEXT }, publicUrl: URL_OF_RECEIVER },
    headersOf: (token) => ({ 'upstash-signature': token, 'upstash-message-id': 'm1' }),
    verifies: ({ body, headers }) =>
      receiver.verify({ body, signature: headers['upstash-signature'], url: URL_OF_RECEIVER }),
  }
}

async function judgeGoogle() {
  const { version, OAuth2Client } = await load('google-auth-library')
  const client = new OAuth2Client()
  const [own, other] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
  const jwk = { ...own.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }
  const certificate = own.publicKey.export({ type: 'spki', format: 'pem' })
  const issuers = ['https://accounts.google.com', 'accounts.google.com']
  const claims = {
    ...{ iss: issuers[0], aud: URL_OF_RECEIVER, email: ACCOUNT, email_verified: true },
    ...{ sub: '1137', azp: '1137', iat: now(), exp: now() + 3600 },
  }
  const tokenOf = (change, { privateKey } = own) =>
    new SignJWT({ ...claims, ...change })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ: 'JWT' })
      .sign(privateKey)
  const cases = [
    ['plain', true, await tokenOf({})],
    ['the other issuer', true, await tokenOf({ iss: issuers[1] })],
    ['another key', false, await tokenOf({}, other)],
  ]
  const options = {
    audience: URL_OF_RECEIVER,
    fetch: async () => Response.json({ keys: [jwk] }),
  }
  return [
    ['google-pubsub', googlePubSub(options), '{"message":{"messageId":"1"}}'],
    ['google-cloud-tasks', googleCloudTasks(options), '{}', { 'x-cloudtasks-taskname': '1' }],
  ].map(([name, scheme, body, more]) => ({
    ...{ name, sdk: `google-auth-library@${version}`, scheme, secret: ACCOUNT, cases },
    bodyOf: () => body,
    headersOf: (token) => ({ authorization: `Bearer ${token}`, ...more }),
    verifies: ({ headers }) =>
      client.verifySignedJwtWithCertsAsync(
        headers.authorization.slice('Bearer '.length),
        ...[{ k1: certificate }, URL_OF_RECEIVER, issuers],
      ),
  }))
}

async function judgeApple() {
  const { version, SignedDataVerifier, Environment } = await load('@apple/app-store-server-library')
  const file = new URL('../../../packages/jwt/test/chains.json', import.meta.url)
  const { certificates, keys, sha256 } = JSON.parse(readFileSync(file, 'utf8'))
  const BUNDLE = 'com.example.app'
  const FAKE = ['leaffake', 'interfake', 'otherroot']
  const roots = [Buffer.from(certificates.root, 'base64')]
  const verifier = new SignedDataVerifier(roots, false, Environment.SANDBOX, BUNDLE)
  const signed = async (content, chain = ['leaf', 'inter', 'root']) =>
    new CompactSign(utf8(JSON.stringify(content)))
      .setProtectedHeader({ alg: 'ES256', x5c: chain.map((each) => certificates[each]) })
      .sign(await importJWK(keys[chain[0]], 'ES256'))
  const app = { bundleId: BUNDLE, environment: 'Sandbox' }
  const signedDate = Date.now()
  const transaction = await signed({ ...app, transactionId: 't', signedDate })
  const data = { ...app, signedTransactionInfo: transaction }
  const none = { notificationType: 'TEST', notificationUUID: 'u', version: '2.0', signedDate }
  const plain = await signed({ ...none, data })
  const payload = Buffer.from(JSON.stringify({ ...none, data, version: '3' }))
  const token = { bundleId: BUNDLE, externalPurchaseId: 'SANDBOX_1' }
  const cases = [
    ['plain', true, plain],
    ['summary', true, await signed({ ...none, summary: app })],
    ['appData', true, await signed({ ...none, appData: app })],
    ['externalPurchaseToken', true, await signed({ ...none, externalPurchaseToken: token })],
    ['another payload', false, plain.replace(/\..*\./, `.${payload.toString('base64url')}.`)],
    ['another root', false, await signed({ ...none, data }, FAKE)],
  ]
  return {
    ...{ name: 'app-store', sdk: `@apple/app-store-server-library@${version}`, secret: BUNDLE },
    scheme: appStore({ environment: 'Sandbox', roots: [sha256] }),
    cases,
    bodyOf: (signedPayload) => JSON.stringify({ signedPayload }),
    headersOf: () => ({}),
    async verifies({ body }) {
      const { signedPayload } = JSON.parse(body)
      const { data } = await verifier.verifyAndDecodeNotification(signedPayload)
      if (data?.signedTransactionInfo)
        await verifier.verifyAndDecodeTransaction(data.signedTransactionInfo)
      return true
    },
  }
}
