import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryStore } from '@webhook-receiver/express'
import express from 'express'
import { githubWebhooks } from './github.js'
import { acmeWebhooks } from './standard-webhooks.js'
import { stripeWebhooks } from './stripe.js'

// One for all services. For several processes, use the Redis or PostgreSQL store.
const store = memoryStore()
const app = express()

// Before any express.json(): signatures cover the bytes, and a parser discards them.
app.post('/stripe', stripeWebhooks(store))
app.post('/github', githubWebhooks(store))
app.post('/acme', acmeWebhooks(store))

// By default Node waits five minutes for a slow request, and checks only every 30 seconds.
const patience = { requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }
const server = createServer(patience, app)

server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo
  console.error(`Listening on http://localhost:${port}`)
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
    // Finishes the deliveries in progress first, but does not wait for ever.
    server.close()
    for (const res of responses) res.shouldKeepAlive = false
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
