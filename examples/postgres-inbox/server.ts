import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { deliveryHandler, webhookMiddleware } from '@webhook-receiver/express'
import { postgresTransactionalStore } from '@webhook-receiver/postgres'
import express from 'express'
import type pg from 'pg'
import { pool, prepareTables, transaction } from './database.js'

const store = postgresTransactionalStore<pg.PoolClient>({
  transaction,
  query: (client, text, values) => client.query(text, values),
})

const app = express()

// The row and the mark that the delivery was seen are committed together: 204 when they are, and one row for all copies.
app.post(
  '/webhooks',
  webhookMiddleware(process.env.WEBHOOK_SECRET),
  deliveryHandler(
    {
      any: async (delivery, { transaction }) => {
        const row = [JSON.stringify(delivery)]
        await transaction.query('INSERT INTO inbox (delivery) VALUES ($1)', row)
      },
    },
    { store, timeout: 10 },
  ),
)

let running = true
// PostgreSQL is given a moment. Without it the server starts as well, and refuses what comes.
await Promise.race([prepareTables(() => running), delay(2000, undefined, { ref: false })])

// Without a limit of its own, Node lets a request dribble in for five minutes, and looks at its clock every 30 s only.
const patience = { requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }
const server = createServer(patience, app)

server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo
  console.error(`Listening on http://localhost:${port}/webhooks`)
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    running = false
    // Deliveries in progress are still answered, for as long as that takes, but not for ever.
    server.close(() => pool.end())
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
