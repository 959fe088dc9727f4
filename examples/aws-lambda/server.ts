// Serves the function on this machine. Lambda does not need this file.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventListener } from '@webhook-receiver/aws-lambda/testing'
import { handler } from './function.js'

// Each request becomes the event of an HTTP API.
const invoke = eventListener(handler)

// Like the API of template.yaml, it has one route, and does not wait for ever.
const patience = { requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }
const server = createServer(patience, (req, res) => {
  if (req.url?.split('?')[0] === '/webhooks') invoke(req, res)
  else res.writeHead(404).end()
})

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
    // Finishes the deliveries in progress first, but does not wait for ever.
    server.close()
    for (const res of responses) res.shouldKeepAlive = false
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
