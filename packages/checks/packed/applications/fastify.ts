import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Delivery, type WebhookRoute, webhookMiddleware } from '@webhook-receiver/fastify'
import Fastify, { type FastifyInstance } from 'fastify'

declare module '@webhook-receiver/fastify' {
  interface EventData {
    'instance.connected': { readonly phone: string }
  }
}

const app = Fastify()
app.register(async (scope) => {
  await receive(scope, '/webhooks')
  // Of no effect, whatever the release: the middleware has read the stream that this would wait for.
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, async () => undefined)
})
app.register(async (scope) => {
  // Here something has read the body before the receiver gets the request.
  scope.addHook('preParsing', async (_request, _reply, body) => Readable.from(await buffer(body)))
  await receive(scope, '/parsed')
})
app.listen({ port: 0, host: '127.0.0.1' }, () => console.log(JSON.stringify(app.server.address())))

async function receive(scope: FastifyInstance, path: string): Promise<void> {
  await scope.register(webhookMiddleware(process.env.WEBHOOK_SECRET))
  scope.post<WebhookRoute>(path, async (request, reply) => {
    print(request.delivery)
    return reply.code(204).send()
  })
}

function print(delivery: Delivery): void {
  if (!delivery.known || delivery.event !== 'instance.connected') return
  // @ts-expect-error not in the content of this event
  delivery.data.data.telephone
  console.log(JSON.stringify({ id: delivery.id, phone: delivery.data.data.phone.trim() }))
}
