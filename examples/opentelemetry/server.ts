import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  deliveryHandler,
  handlerDiagnostics,
  memoryStore,
  receiverDiagnostics,
  webhookMiddleware,
} from '@webhook-receiver/express'
import express from 'express'
// First the SDK, so that the tracer and the meter that come next are real ones.
import { stopTelemetry } from './sdk.js'
import { requestSpans } from './telemetry.js'

const app = express()

app.post(
  '/webhooks',
  requestSpans,
  webhookMiddleware(process.env.WEBHOOK_SECRET, { ...receiverDiagnostics() }),
  deliveryHandler(
    {
      any: async ({ id, event, data }) => {
        console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
      },
    },
    { store: memoryStore(), ...handlerDiagnostics() },
  ),
)

// Without a limit of its own, Node lets a request dribble in for five minutes, and looks at its clock every 30 s only.
const patience = { requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }
const server = createServer(patience, app)

server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo
  console.error(`Listening on http://localhost:${port}/webhooks`)
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Deliveries in progress are still answered, for as long as that takes, but not for ever.
    server.close(() => stopTelemetry())
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
