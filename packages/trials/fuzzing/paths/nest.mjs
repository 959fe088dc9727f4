// An application of NestJS whose routes are endpoints, or have no receiver.
import 'reflect-metadata'
import { All, Controller, Module, Post, VersioningType } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { WebhookEndpoint, WebhookModule } from '@webhook-receiver/nestjs'

const PLATFORMS = { express: () => new ExpressAdapter(), fastify: () => new FastifyAdapter() }

/** A path of one name is a route at the root; another one is made of a prefix, a version and the route. */
export async function onNest(platform, secret, path, guarded, ran) {
  const [name, version, prefix] = path.split('/').slice(1).reverse()
  const routes = {
    post: Post(name),
    // Fastify takes no second route for the same requests.
    ...(platform === 'express' && { all: All(name) }),
    parameter: Post(`${name}/:rest`),
    pattern: All(platform === 'express' ? `${name}/*rest` : `${name}/*`),
  }
  class WebhooksController {}
  for (const [route, decorator] of Object.entries(routes)) {
    const method = { value: () => ran(`a method with ${route}`, ''), configurable: true }
    Object.defineProperty(WebhooksController.prototype, route, method)
    decorator(WebhooksController.prototype, route, method)
    if (guarded) WebhookEndpoint()(WebhooksController.prototype, route, method)
  }
  Controller(version ? { version: version.slice(1) } : {})(WebhooksController)
  class AppModule {}
  Module({
    imports: [WebhookModule.forRoot({ secret, onRejected: false })],
    controllers: [WebhooksController],
  })(AppModule)
  const app = await NestFactory.create(AppModule, PLATFORMS[platform](), { logger: false })
  if (prefix) app.setGlobalPrefix(prefix).enableVersioning({ type: VersioningType.URI })
  await app.init()
  await app.getHttpAdapter().getInstance().ready?.()
  return app.getHttpServer()
}
