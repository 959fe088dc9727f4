// Compares the services that sign by tokens with their own SDKs, in both directions where an SDK signs. What else signs is that of the tests of jwt.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mock } from 'node:test'
import { createReceiver } from '@webhook-receiver/core'
import { register } from 'tsx/esm/api'
import { flag, readCommandLine } from '../command-line.mjs'
import { TEXTS } from './cases.mjs'
import { installSdks, loadModule } from './install.mjs'

const { latest } = readCommandLine(
  'prove -- tokens',
  'Exits with 1 where an SDK and a scheme disagree.',
  { latest: flag('the newest SDKs instead of those that were last compared') },
)
const folder = installSdks(latest)

register()
const TESTS = new URL('../../../packages/jwt/test/', import.meta.url)
const { NOW, now, request, worlds } = await import(new URL('worlds.ts', TESTS))
const { certificates } = JSON.parse(readFileSync(new URL('chains.json', TESTS), 'utf8'))

const GOOGLE = {
  package: 'google-auth-library',
  valid: { 'the other issuer': { iss: 'accounts.google.com' } },
  make({ OAuth2Client }, { publicKey, header, claims }) {
    const client = new OAuth2Client()
    const keys = { [header.kid]: publicKey.export({ type: 'spki', format: 'pem' }) }
    const issuers = [claims.iss, 'accounts.google.com']
    return {
      verify({ authorization }) {
        const token = authorization.slice('Bearer '.length)
        return client.verifySignedJwtWithCertsAsync(token, keys, claims.aud, issuers)
      },
    }
  },
}

const APP = { bundleId: 'com.example.app', environment: 'Sandbox' }

/** By the name of the world: `make` gives what an SDK verifies, by the headers and the body, and what it signs; `valid` are other claims that both accept. */
const SDKS = {
  livekit: {
    package: 'livekit-server-sdk',
    make({ AccessToken, WebhookReceiver }, { secret }) {
      const receiver = new WebhookReceiver('APIkey', secret)
      return {
        verify: ({ authorization }, body) => receiver.receive(body, authorization),
        async sign(body) {
          const token = new AccessToken('APIkey', secret)
          token.sha256 = createHash('sha256').update(body).digest('base64')
          return { authorization: await token.toJwt() }
        },
      }
    },
  },
  qstash: {
    package: '@upstash/qstash',
    make({ Receiver }, { secret: { current, next }, publicUrl: url }) {
      const receiver = new Receiver({ currentSigningKey: current, nextSigningKey: next })
      return {
        verify: ({ 'upstash-signature': signature }, body) =>
          receiver.verify({ body, signature, url }),
      }
    },
  },
  'google-pubsub': GOOGLE,
  'google-cloud-tasks': GOOGLE,
  'app-store': {
    package: '@apple/app-store-server-library',
    valid: {
      summary: { data: undefined, summary: APP },
      appData: { data: undefined, appData: APP },
      externalPurchaseToken: {
        data: undefined,
        externalPurchaseToken: { bundleId: APP.bundleId, externalPurchaseId: 'SANDBOX_1' },
      },
    },
    make({ SignedDataVerifier, Environment }, { secret }) {
      const roots = [Buffer.from(certificates.root, 'base64')]
      const verifier = new SignedDataVerifier(roots, false, Environment.SANDBOX, secret)
      return {
        async verify(_, body) {
          const { data } = await verifier.verifyAndDecodeNotification(
            JSON.parse(body).signedPayload,
          )
          if (data?.signedTransactionInfo)
            await verifier.verifyAndDecodeTransaction(data.signedTransactionInfo)
        },
      }
    },
  },
}

const modules = {}
for (const { package: name } of Object.values(SDKS))
  modules[name] ??= await loadModule(folder, name)
// SDKs compare the times of a token with their clock.
mock.timers.enable({ apis: ['Date'], now: NOW * 1000 })
const rows = {}
for (const world of worlds) if (SDKS[world.name]) rows[world.name] = await judge(world)
console.table(rows)

async function judge(world) {
  const { name, scheme, secret, publicUrl } = world
  const { package: judging, make, valid = {} } = SDKS[name]
  const { version, module } = modules[judging]
  const sdk = make(module, world)
  const receiver = createReceiver(secret, { scheme, publicUrl, now, onRejected: false })
  const row = { SDK: `${judging}@${version}`, cases: 0, accepted: 0, wrong: 0 }
  for (const [what, isValid, headers, body] of await casesOf(world, valid, sdk)) {
    const sent = new Request('https://example.com/webhooks', { method: 'POST', headers, body })
    const isOurs = await receiver.receiveRequest(sent).then(
      () => true,
      ({ status }) => {
        if (status !== 401) throw new Error(`${name}, ${what}: the status is ${status}`)
        return false
      },
    )
    const judged = await Promise.resolve(sdk.verify(headers, body)).then(
      (result) => result !== false,
      () => false,
    )
    row.cases++
    if (isOurs) row.accepted++
    if (isOurs === judged && isOurs === isValid) continue
    row.wrong++
    process.exitCode = 1
    console.log(`${name}, ${what}: the SDK says ${judged}, and we say ${isOurs}.`)
  }
  return row
}

/** Each with its name, whether it is valid, its headers and its body. The tests of jwt try all attacks; two show that both reject. */
async function casesOf(world, valid, { sign }) {
  const { scheme, service, key } = world
  const another = (token) => token.replace(/.(?=.{9}$)/, (digit) => (digit === 'a' ? 'b' : 'a'))
  const made = [
    ['plain', true, {}],
    ...Object.entries(valid).map(([what, claims]) => [what, true, { claims }]),
    ['another signature', false, { edit: another }],
    ...(service.body.claim ? [['another body', false, { body: `${world.body} ` }]] : []),
  ]
  const cases = made.map(async ([what, isValid, making]) => {
    const sent = request(world, making)
    return [what, isValid, Object.fromEntries(sent.headers), await sent.text()]
  })
  const parts = { id: 'i1', event: 'a', time: NOW * 1000, url: world.publicUrl, instance: 'APIkey' }
  for (const [what, event] of Object.entries(TEXTS)) {
    const body = JSON.stringify({ id: '1', event })
    if (sign) cases.push([`its own, ${what}`, true, await sign(body), body])
    if (!scheme.sign) continue
    const bytes = new TextEncoder().encode(body)
    const ours = await scheme.sign(await scheme.importKey(key, 'The secret'), bytes, parts)
    cases.push([`ours, ${what}`, true, ours, body])
  }
  return Promise.all(cases)
}
