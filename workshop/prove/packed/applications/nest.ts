import 'reflect-metadata'
import { Controller, Injectable, Module, Post } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { Delivery, OnDelivery, WebhookEndpoint, WebhookModule } from '@webhook-receiver/nestjs'

@Injectable()
class Printer {
  print(delivery: Delivery): void {
    console.log(JSON.stringify({ id: delivery.id }))
  }
}

@Injectable()
class Handlers {
  readonly #printer: Printer

  constructor(printer: Printer) {
    this.#printer = printer
  }

  @OnDelivery('any')
  handle(delivery: Delivery): void {
    this.#printer.print(delivery)
  }
}

@Controller()
class WebhooksController {
  @Post('webhooks')
  @WebhookEndpoint()
  receive(@Delivery() delivery: Delivery): void {
    if (!delivery.id) throw new Error('There is no delivery.')
  }
}

@Module({
  imports: [WebhookModule.forRoot({ secret: process.env.WEBHOOK_SECRET })],
  controllers: [WebhooksController],
  providers: [Printer, Handlers],
})
class AppModule {}

async function start(): Promise<void> {
  const adapter = process.argv.includes('fastify') ? new FastifyAdapter() : new ExpressAdapter()
  const app = await NestFactory.create(AppModule, adapter, { logger: false })
  await app.listen(Number(process.env.PORT), '127.0.0.1')
}

start()
