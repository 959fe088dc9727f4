import { createServer } from 'node:http'
import { webhookHandler } from '@webhook-receiver/node'

const listener = webhookHandler(process.env.WEBHOOK_SECRET, async ({ id }) => {
  console.log(JSON.stringify({ id }))
})
createServer(listener).listen(Number(process.env.PORT), '127.0.0.1')
