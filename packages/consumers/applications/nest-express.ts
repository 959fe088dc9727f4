import 'reflect-metadata'
import { Controller, HttpCode, Module, Post, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { requireDelivery, webhookMiddleware } from '@webhook-receiver/express'
import type { Request } from 'express'

@Controller('webhooks')
class WebhooksController {
  @Post()
  @HttpCode(204)
  receive(@Req() request: Request): void {
    console.log(JSON.stringify({ id: requireDelivery(request).id }))
  }
}

@Module({ controllers: [WebhooksController] })
class AppModule {}

async function start(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: ['error'] })
  // Nest adds its body parsers when it starts: behind this, which has then read the body.
  app.use('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET))
  await app.listen(0, '127.0.0.1')
  console.log(JSON.stringify(app.getHttpServer().address()))
}

start()
