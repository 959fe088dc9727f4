import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { jobIdOf } from '@webhook-receiver/core'
import { diagnose } from '@webhook-receiver/diagnose'
import { type Delivery, WebhookError, webhookHandler } from '@webhook-receiver/express'
import express from 'express'
import type pg from 'pg'
import { pool, prepareTables, store } from './database.js'

let prepared = false

// The jobs of a queue run one after another, the queues beside each other.
async function enqueue(delivery: Delivery, client: pg.PoolClient): Promise<void> {
  if (!prepared) throw new WebhookError('store_unavailable', 'The tables are not there yet.')
  await client.query(
    "SELECT graphile_worker.add_job('delivery', payload := $1::json, queue_name := $2, max_attempts := 1)",
    [JSON.stringify(delivery), await jobIdOf({ id: conversationOf(delivery) })],
  )
}

// The contract does not name conversations: here each instance is one. Return a finer name if your deliveries have one.
function conversationOf({ data }: Delivery): string {
  return data.instance_id
}

const app = express()

// Job and done mark are committed together, then the status is 204. Several copies give one job.
app.post(
  '/webhooks',
  webhookHandler(
    process.env.WEBHOOK_SECRET,
    (delivery, { transaction }) => enqueue(delivery, transaction),
    { store, timeout: 10, diagnose },
  ),
)

let running = true
// Waits for the tables. Without PostgreSQL the server starts too, after ten seconds, and responds with 503.
const preparing = prepareTables(() => running).then(() => {
  prepared = true
})
await Promise.race([preparing, delay(10_000, undefined, { ref: false })])

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
    server.close(() => pool.end())
    for (const res of responses) res.shouldKeepAlive = false
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
