import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Delivery, webhookHandler } from '@webhook-receiver/node'

declare module '@webhook-receiver/node' {
  interface EventData {
    'instance.connected': { readonly phone: string }
  }
}

const listener = webhookHandler(process.env.WEBHOOK_SECRET, print)
const server = createServer(async (req, res) => {
  // Here something has read the body before the receiver gets the request.
  if (req.url === '/parsed') await json(req)
  listener(req, res)
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))

function print(delivery: Delivery): void {
  if (!delivery.known || delivery.event !== 'instance.connected') return
  // @ts-expect-error not in the content of this event
  delivery.data.data.telephone
  console.log(JSON.stringify({ id: delivery.id, phone: delivery.data.data.phone.trim() }))
}
