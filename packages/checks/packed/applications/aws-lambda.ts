import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Delivery, type LambdaEvent, webhookHandler } from '@webhook-receiver/aws-lambda'
import { eventListener, toEvent } from '@webhook-receiver/aws-lambda/testing'

declare module '@webhook-receiver/aws-lambda' {
  interface EventData {
    'instance.connected': { readonly phone: string }
  }
}

const handler = webhookHandler(process.env.WEBHOOK_SECRET, print)
const listener = eventListener(handler)
const server = createServer(async (req, res) => {
  if (req.url !== '/parsed') return listener(req, res)
  // Here the integration has parsed the body before the function gets the event.
  const body = await json(req)
  const headers = Object.entries(req.headers).map(([name, value]) => [name, String(value)] as const)
  const request = { method: 'POST', path: '/parsed', headers, body: new Uint8Array() }
  const event = Object.assign(toEvent('http-api', request), { body }) as LambdaEvent
  res.writeHead((await handler(event)).statusCode).end()
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))

function print(delivery: Delivery): void {
  if (!delivery.known || delivery.event !== 'instance.connected') return
  // @ts-expect-error not in the content of this event
  delivery.data.data.telephone
  console.log(JSON.stringify({ id: delivery.id, phone: delivery.data.data.phone.trim() }))
}
