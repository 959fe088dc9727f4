// Run by releases.mjs, where the receiver is of one release, and all that it is given is of another.
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [, , format, changed] = process.argv
const require = createRequire(import.meta.url)
const load = async (name) => (format === 'cjs' ? require(name) : import(name))

const { webhookHandler } = await load('@webhook-receiver/node')
const { createDeliveryHandler, createReceiver, forgetDelivery, parseStoredDelivery } =
  await load('@webhook-receiver/core')
const { signDelivery } = await load('@webhook-receiver/core/testing')
const { memoryStore, WebhookError, reply } = await load('other-core')
const { stripe, github, defineScheme } = await load('@webhook-receiver/schemes')
const { awsSns } = await load('@webhook-receiver/schemes/aws-sns')
const { diagnose } = await load('@webhook-receiver/diagnose')
const { folderQuarantine, redrive } = await load('@webhook-receiver/quarantine')
const { postgresInbox } = await load('@webhook-receiver/inbox')
const { redisStore } = await load('@webhook-receiver/redis')
const { postgresStore, postgresTransactionalStore } = await load('@webhook-receiver/postgres')
const { sqliteStore, sqliteTransactionalStore } = await load('@webhook-receiver/sqlite')
const { dynamodbStore } = await load('@webhook-receiver/dynamodb')

const never = () => {
  throw new Error('It was called.')
}
const secret = 'whsec_two_releases'
const STORED = '{"scheme":"stripe","id":"evt_1","event":"charge.succeeded","data":{}}'
const folder = mkdtempSync(join(import.meta.dirname, 'quarantine-'))
const quarantine = folderQuarantine(folder)
const inbox = postgresInbox({
  pool: { query: never, connect: never, options: { max: 10 } },
  services: { stripe: { scheme: stripe, handlers: never } },
})
const own = defineScheme({ ...stripe.value, name: 'tenant-1' })
const database = { exec() {}, prepare: never }
const stores = [
  memoryStore(),
  redisStore({ send: never }),
  postgresStore({ query: never }),
  postgresTransactionalStore({ transaction: never, query: never }),
  sqliteStore({ database }),
  sqliteTransactionalStore({ database }),
  dynamodbStore({ update: never }),
]
const schemes = [stripe, own, awsSns(), { ...stripe, name: 'wrapped' }]

/** All that begins with something of the other release. */
const starts = [
  ...schemes.map((scheme) => () => createReceiver(secretOf(scheme), { scheme })),
  ...schemes.map((scheme) => () => createDeliveryHandler(never, { scheme })),
  ...stores.map((store) => () => webhookHandler(secret, never, { path: '/', store })),
  () => createDeliveryHandler(never, { store: stores[0] }),
  () => webhookHandler(secret, never, { path: '/', quarantine }),
  () => webhookHandler(secret, never, { path: '/', diagnose }),
  () => webhookHandler(secret, inbox.receive('stripe'), { path: '/' }),
  () => webhookHandler(secret, { any: inbox.receive('stripe') }, { path: '/' }),
  () => signDelivery(secret, { id: 'evt_1' }, { scheme: stripe }),
  () => forgetDelivery(memoryStore(), { endpoint: 'default', key: '1' }),
  () => parseStoredDelivery(STORED, { schemes: [github, stripe] }),
]

if (changed) {
  for (const start of starts) {
    const end = await Promise.resolve()
      .then(start)
      .then(() => `No error: ${start}`, String)
    console.log(end)
  }
} else {
  for (const start of starts) await start()
  await receive()
}
console.log('ok  done')

/** For Amazon SNS it is the ARN of a topic. */
function secretOf({ name }) {
  return name === 'aws-sns' ? 'arn:aws:sns:eu-west-1:123456789012:orders' : secret
}

async function receive() {
  const rejections = []
  const store = memoryStore()
  const onRejected = (rejection) => rejections.push(rejection)
  const options = { scheme: stripe, quarantine, diagnose, onRejected }
  let runs = 0
  /** What the handler does, by the id of the delivery. */
  const works = {
    evt_run: () => {
      runs += 1
    },
    evt_reply: () => reply({ status: 202, body: 'later' }),
    evt_outage: () => {
      throw errorOf('newer_outage', 'store_unavailable')
    },
  }
  const work = (delivery) => works[delivery.id]()
  const handler = webhookHandler(secret, work, { ...options, path: '/stripe', store })
  const scheme = {
    ...stripe,
    verify(_key, _head, body) {
      throw String(Buffer.from(body)).includes('evt_status')
        ? errorOf('newer_status', 'body_too_large')
        : errorOf('newer_forged', 'signature_mismatch')
    },
  }
  const rejecting = webhookHandler(secret, never, { ...options, path: '/rejecting', scheme })
  const server = createServer((req, res) => {
    if (req.url === '/rejecting') rejecting(req, res)
    else handler(req, res)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const post = async (id, { path = '/stripe', key = secret } = {}) => {
    const event = { id, type: 'charge.succeeded', data: { object: {} } }
    const { headers, body } = await signDelivery(key, event, { scheme: stripe })
    const url = `http://127.0.0.1:${server.address().port}${path}`
    const response = await fetch(url, { method: 'POST', headers, body })
    return `${response.status} ${await response.text()}`
  }
  const reported = () => {
    const { status, quarantined, diagnosis = [] } = rejections.at(-1)
    return [status, quarantined, ...diagnosis.map(({ code }) => code)].join(' ')
  }

  expect('a delivery', await post('evt_run'), /^204 $/)
  expect('its copy', await post('evt_run'), /^204 $/)
  expect('how often it ran', runs, /^1$/)
  const known = { endpoint: 'stripe', key: 'evt_run' }
  expect('forgotten', await forgetDelivery(store, known), /^true$/)
  expect('a reply', await post('evt_reply'), /^202 later$/)
  expect('an outage', await post('evt_outage'), /^503 .*receiver_unavailable/)
  expect('a wrong secret', await post('evt_wrong', { key: 'whsec_other' }), /^401 .*authenticated/)
  expect('its report', reported(), /^401 true unknown/)
  const path = '/rejecting'
  expect('a newer reason', await post('evt_forged', { path }), /^401 .*not_authenticated/)
  expect('its report', reported(), /^401 true/)
  expect('a newer status', await post('evt_status', { path }), /^451 .*newer_code|^413 .*too_large/)
  expect('its report', reported(), /^(?:451|413)/)
  const redriven = []
  for await (const kept of redrive(folder, { secret: 'whsec_other', scheme: stripe })) {
    redriven.push(kept.outcome)
  }
  expect('what was kept', redriven.sort(), /^deliverable,rejected/)
  server.close()
  server.closeAllConnections()
}

/** An error that only the newer release knows, if the other core is of that. */
function errorOf(newer, known) {
  try {
    return new WebhookError(newer, 'newer')
  } catch {
    return new WebhookError(known, 'known')
  }
}

function expect(what, seen, pattern) {
  console.log(pattern.test(String(seen)) ? `ok  ${what}` : `${what}: ${seen}`)
}
