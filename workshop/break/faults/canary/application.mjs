// An adapter with the logging that its framework has by default: node application.mjs ADAPTER [LEAK].
import { subscribe } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { loadVectors } from '@webhook-receiver/conformance'
import { CHANNELS, createReceiver } from '@webhook-receiver/core'
import { diagnose } from '@webhook-receiver/diagnose'
import { memoryStore } from '@webhook-receiver/node'
import { applications, listen } from '../../applications.mjs'

const [adapter, leak] = process.argv.slice(2)
const { WEBHOOK_SECRET: secret } = process.env
const [{ clock }] = loadVectors('')

for (const channel of Object.values(CHANNELS)) subscribe(channel, show)
for (const invalid of [`${secret} `, `"${secret}"`, `${secret}\n`]) {
  try {
    createReceiver({ name: invalid })
  } catch (error) {
    show(error)
  }
}

const options = {
  ...{ store: memoryStore(), diagnose, now: () => clock * 1000 },
  ...{ onAccepted: show, onRejected: show },
}
// What Node's HTTP parser rejects, Koa reports with the bytes in `rawPacket`: not this library's to withhold.
const onError = (error) => 'rawPacket' in error || show(error)
// A secret is given in each way.
const given = { fastify: { other: `${secret}2`, mine: secret }, hono: async () => secret }
const server = await applications[adapter](given[adapter] ?? secret, options, {
  ...{ handlers: { any: handle }, onError, logs: true },
})
// What no receiver may do: done on purpose, it has to be found.
if (leak) {
  server.prependListener('request', (req, res) => {
    res.setHeader('X-Debug', Buffer.from(secret.slice(0, 12)).toString('base64'))
    const hidden = Object.defineProperty({}, 'hidden', { value: [[[[[secret]]]]] })
    show(new Error(req.headers['x-webhook-signature'], { cause: hidden }))
    req.on('data', (bytes) => show(Object.assign(new Error('x'), { bytes })))
  })
}
await listen(server)
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})

/** Fails where the vectors ask for it. */
function handle(delivery) {
  if (delivery.data.data.boom === true) throw new Error('the handler fails on purpose')
}

/** Prints a value in every way that an application may log it. */
function show(value) {
  const whole = { depth: 50, showHidden: true, maxStringLength: null, maxArrayLength: null }
  const wide = { ...whole, breakLength: Number.POSITIVE_INFINITY }
  const parts = Object.getOwnPropertyDescriptors(Object(value))
  const names = Reflect.ownKeys(parts).filter((name) => typeof name === 'string')
  console.log(JSON.stringify(value), JSON.stringify(value, names), String(value), value?.stack)
  for (const each of [value, structuredClone(value), parts]) console.log(inspect(each, wide))
}
