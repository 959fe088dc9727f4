import { type Delivery, webhookMiddleware } from '@webhook-receiver/express'
import express from 'express'

declare module '@webhook-receiver/express' {
  interface EventData {
    'instance.connected': { readonly phone: string }
  }
}

const app = express()
// Here a parser has read the body before the receiver gets the request.
app.use('/parsed', express.json())
app.post(['/webhooks', '/parsed'], webhookMiddleware(process.env.WEBHOOK_SECRET), (req, res) => {
  print(req.delivery)
  res.sendStatus(204)
})
const server = app.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))

function print(delivery: Delivery): void {
  if (!delivery.known || delivery.event !== 'instance.connected') return
  // @ts-expect-error not in the content of this event
  delivery.data.data.telephone
  console.log(JSON.stringify({ id: delivery.id, phone: delivery.data.data.phone.trim() }))
}
