// An adapter with the logging that its framework has by default: node application.mjs ADAPTER [LEAK].
import { subscribe } from 'node:diagnostics_channel'
import { loadVectors } from '@webhook-receiver/conformance'
import { CHANNELS, createReceiver } from '@webhook-receiver/core'
import { diagnose } from '@webhook-receiver/diagnose'
import { memoryStore } from '@webhook-receiver/node'
import { applications } from '../../applications.mjs'
import { LEAKS } from './leaks.mjs'
import { schemas } from './schemas.mjs'
import { show } from './show.mjs'

const [adapter, leak] = process.argv.slice(2)
const { WEBHOOK_SECRET: secret, PORT } = process.env
const [{ clock }] = loadVectors('')

for (const channel of Object.values(CHANNELS)) subscribe(channel, show)
await showInvalidSecrets()

const options = {
  store: memoryStore(),
  diagnose,
  onAccepted: show,
  now: () => clock * 1000,
  ...{ schemas, extraEvents: Object.keys(schemas) },
  onRejected: show,
}
// What Node's HTTP parser rejects, Koa reports with the bytes in `rawPacket`: not this library's to withhold.
const onError = (error) => 'rawPacket' in error || show(error)

// A secret is given in each way.
const given = { fastify: { other: `${secret}2`, mine: secret }, hono: async () => secret }
const server = await applications[adapter](given[adapter] ?? secret, options, {
  ...{ handlers: { any: handle }, onError, logs: true },
})
const [listener] = server.listeners('request')
if (leak) {
  server.removeAllListeners('request').on('request', (req, res) => {
    LEAKS[leak](secret, req, res)
    listener(req, res)
  })
}
server.listen(Number(PORT), '127.0.0.1', () => {
  console.error(`Listening on http://localhost:${server.address().port}/webhooks`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})

/** Fails where the vectors ask for it. */
function handle(delivery) {
  if (delivery.data.data.boom === true) throw new Error('the handler fails on purpose')
}

/** Errors for secrets that no receiver takes, when it is made and when a function gives them, and warnings. */
async function showInvalidSecrets() {
  const request = () => new Request('http://localhost/webhooks', { method: 'POST', headers })
  const headers = {
    'X-Webhook-Timestamp': String(clock),
    'X-Webhook-Signature': `sha256=${'0'.repeat(64)}`,
  }
  const now = () => clock * 1000
  for (const invalid of [`${secret} `, `"${secret}"`, `${secret}\n`]) {
    for (const make of [() => createReceiver(invalid), () => createReceiver({ name: invalid })]) {
      try {
        make()
      } catch (error) {
        show(error)
      }
    }
    const receiver = createReceiver(() => invalid, { now, onRejected: show })
    await receiver.receiveRequest(request()).catch((error) => {
      show(error)
      show(error.cause)
    })
  }
  createReceiver(secret.slice('whsec_'.length))
}
