import { createServer } from 'node:http'
import { webhookHandler } from '@webhook-receiver/aws-lambda'
import { eventListener } from '@webhook-receiver/aws-lambda/testing'

const handler = webhookHandler(process.env.WEBHOOK_SECRET, async ({ id }) => {
  console.log(JSON.stringify({ id }))
})
createServer(eventListener(handler)).listen(Number(process.env.PORT), '127.0.0.1')
