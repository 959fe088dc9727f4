import 'reflect-metadata'
import type { Server, ServerResponse } from 'node:http'
import { Controller, Injectable, Module, Post } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { diagnose } from '@webhook-receiver/diagnose'
import {
  type Delivery,
  memoryStore,
  OnDelivery,
  WebhookEndpoint,
  WebhookModule,
} from '@webhook-receiver/nestjs'

/** By default Node waits five minutes for a slow request, in milliseconds. */
const PATIENCE = 15_000

@Injectable()
class Deliveries {
  @OnDelivery('any')
  async print({ id, event, data }: Delivery) {
    console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  }
}

@Controller('webhooks')
class WebhooksController {
  // Verifies the request, calls the methods with @OnDelivery, and responds with 204.
  @Post()
  @WebhookEndpoint()
  receive() {}
}

@Module({
  imports: [
    WebhookModule.forRoot({
      secret: process.env.WEBHOOK_SECRET,
      // Ignores duplicates, in one process. For several processes, use the Redis or PostgreSQL store.
      store: memoryStore(),
      // Names the cause when a signature does not match.
      diagnose,
      bodyTimeout: PATIENCE / 1000,
    }),
  ],
  controllers: [WebhooksController],
  providers: [Deliveries],
})
class AppModule {}

// Nest logs to standard output, apart from errors.
const app = await NestFactory.create(AppModule, { logger: ['warn', 'error', 'fatal'] })
const server: Server = app.getHttpServer()
server.requestTimeout = PATIENCE

// A proxy keeps connections open and sends on them: when the server stops, each response closes its connection.
let stopping = false
const responses = new Set<ServerResponse>()
server.prependListener('request', (_req, res) => {
  if (stopping) res.shouldKeepAlive = false
  responses.add(res)
  res.once('close', () => responses.delete(res))
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Finishes the deliveries in progress first, but does not wait for ever.
    stopping = true
    for (const res of responses) res.shouldKeepAlive = false
    app.close()
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}

await app.listen(Number(process.env.PORT ?? 3000))
console.error(`Listening on ${await app.getUrl()}/webhooks`)
