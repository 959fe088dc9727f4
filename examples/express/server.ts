import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webhookMiddleware } from '@webhook-receiver/express'
import express from 'express'

const app = express()

// Above any express.json(): the signature is over the bytes, and a parser throws those away.
app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (req, res) => {
  const { id, event, data } = req.delivery
  console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  res.sendStatus(204)
})

// Without a limit of its own, Node lets a request dribble in for five minutes.
const server = createServer({ requestTimeout: 15_000 }, app)

server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo
  console.error(`Listening on http://localhost:${port}/webhooks`)
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Deliveries in progress are still answered, for as long as that takes, but not for ever.
    server.close()
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
