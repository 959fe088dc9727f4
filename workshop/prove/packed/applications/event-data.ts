import { type Delivery, webhookMiddleware } from '@webhook-receiver/express'
import express from 'express'

declare module '@webhook-receiver/express' {
  interface EventData {
    'message.received': { readonly text: string }
  }
}

const app = express()
app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (req, res) => {
  print(req.delivery)
  res.sendStatus(204)
})
app.listen(Number(process.env.PORT), '127.0.0.1')

function print(delivery: Delivery): void {
  if (!delivery.known || delivery.event !== 'message.received') return
  // @ts-expect-error not in the content of this event
  delivery.data.data.texts
  console.log(JSON.stringify({ id: delivery.id, text: delivery.data.data.text.trim() }))
}
