import 'reflect-metadata'
import { Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { type Delivery, type WebhookRoute, webhookPlugin } from '@webhook-receiver/fastify'
import type { FastifyInstance } from 'fastify'

@Injectable()
class Webhooks {
  receive(delivery: Delivery): void {
    console.log(JSON.stringify({ id: delivery.id }))
  }
}

@Module({ providers: [Webhooks] })
class AppModule {}

async function start(): Promise<void> {
  const adapter = new FastifyAdapter()
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, {
    logger: ['error'],
  })
  // A scope of its own: registered by itself, the plugin would guard every route of the application.
  await app.register(async (scope: FastifyInstance) => {
    await scope.register(webhookPlugin, { secret: process.env.WEBHOOK_SECRET })
    scope.post<WebhookRoute>('/webhooks', async (request, reply) => {
      app.get(Webhooks).receive(request.delivery)
      return reply.code(204).send()
    })
  })
  await app.listen(0, '127.0.0.1')
  console.log(JSON.stringify(app.getHttpServer().address()))
}

start()
