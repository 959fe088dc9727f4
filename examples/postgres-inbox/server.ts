import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { diagnose } from '@webhook-receiver/diagnose'
import { webhookHandler } from '@webhook-receiver/express'
import express from 'express'
import { close, inbox, prepare } from './inbox.js'

const app = express()

// The delivery is stored, then the status is 204. Copies are not stored again.
app.post(
  '/webhooks',
  webhookHandler(process.env.WEBHOOK_SECRET, inbox.receive('messages'), { diagnose }),
)

let running = true
// Waits for the table. Without PostgreSQL the server starts too, after ten seconds, and responds with 503.
await Promise.race([prepare(() => running), delay(10_000, undefined, { ref: false })])

// By default Node waits five minutes for a slow request, and checks only every 30 seconds.
const patience = { requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }
const server = createServer(patience, app)

server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo
  console.error(`Listening on http://localhost:${port}/webhooks`)
})

// A proxy keeps connections open and sends on them: when the server stops, each response closes its connection.
const responses = new Set<ServerResponse>()
server.prependListener('request', (_req, res) => {
  if (!server.listening) res.shouldKeepAlive = false
  responses.add(res)
  res.once('close', () => responses.delete(res))
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    running = false
    // Finishes the deliveries in progress first, but does not wait for ever.
    server.close(() => close())
    for (const res of responses) res.shouldKeepAlive = false
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
