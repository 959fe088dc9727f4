import {
  type DynamicModule,
  Inject,
  Module,
  type NestModule,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common'
import { DiscoveryModule, DiscoveryService, HttpAdapterHost, ModuleRef } from '@nestjs/core'
import type { DeliverySchemas, SchemeKind } from '@webhook-receiver/core'
import type { ContractKind, DuplicatesRequired, NoSchemas } from '@webhook-receiver/core/adapter'
import { Endpoint } from './endpoint.ts'
import {
  type ExpressAdapter,
  parseByVersion,
  spareEndpoints as spareOnExpress,
} from './express-parsers.ts'
import { type FastifyAdapter, spareEndpoints as spareOnFastify } from './fastify-parsers.ts'
import { DEFAULT_NAME, OWN_ENDPOINT, tokenOf } from './names.ts'
import type { WebhookModuleAsyncOptions, WebhookModuleOptions, WebhookRequest } from './options.ts'

/**
 * Provides an endpoint for signed deliveries to the whole application. Mark its route with `@WebhookEndpoint()`, and the methods that
 * handle deliveries with `@OnDelivery(event)`. You do not have to change `main.ts`: Nest's body parsers are turned off for these routes only.
 *
 * @example
 * @Module({
 *   imports: [WebhookModule.forRoot({ secret: process.env.WEBHOOK_SECRET })],
 *   controllers: [WebhooksController],
 * })
 * export class AppModule {}
 */
export class WebhookModule implements NestModule, OnModuleInit {
  readonly #parts: Parts

  constructor(...parts: Parts) {
    this.#parts = parts
  }

  /** Nest calls this when the platform is known, before it registers the routes. */
  configure(): void {
    const [{ httpAdapter: adapter }] = this.#parts
    // An application has one, and may have several endpoints.
    if (!adapter || prepared.has(adapter)) return
    prepared.add(adapter)
    if (isOf('express', adapter)) parseByVersion(adapter)
    if (isOf('fastify', adapter)) spareOnFastify(adapter)
  }

  /** The routes are registered by now. */
  onModuleInit(): void {
    const [{ httpAdapter: adapter }, endpoint, ...rest] = this.#parts
    // An application without a server, such as a worker, needs no route.
    endpoint.useHandlers(...rest, isOf('express', adapter) || isOf('fastify', adapter))
    if (isOf('express', adapter)) spareOnExpress(adapter)
  }

  /**
   * An endpoint with these options.
   *
   * An invalid secret or option is a TypeError when the application starts.
   */
  static forRoot<
    const Schemas extends DeliverySchemas = NoSchemas,
    const ExtraEvent extends string = never,
    Request = WebhookRequest,
    Kind extends SchemeKind = ContractKind,
  >(
    all: WebhookModuleOptions<Schemas, ExtraEvent, Request, Kind> &
      DuplicatesRequired<NoInfer<Kind>>,
  ): DynamicModule {
    // What is no object is rejected by the endpoint.
    const { name, ...options } = Object(all)
    const given = Object(all) === all ? options : all
    return WebhookModule.forRootAsync({ name, useFactory: () => given })
  }

  /**
   * An endpoint with the options that `useFactory` returns or resolves to, for a secret and a store from other providers.
   *
   * An invalid secret or option is a TypeError when the application starts.
   */
  static forRootAsync({
    name = DEFAULT_NAME,
    imports = [],
    inject = [],
    useFactory,
  }: WebhookModuleAsyncOptions): DynamicModule {
    const token = tokenOf(name)
    const endpoint: Provider = {
      provide: token,
      inject,
      useFactory: async (...dependencies) => new Endpoint(name, await useFactory(...dependencies)),
    }
    return {
      module: WebhookModule,
      global: true,
      imports: [DiscoveryModule, ...imports],
      providers: [endpoint, { provide: OWN_ENDPOINT, useExisting: token }],
      exports: [token],
    }
  }
}

Module({})(WebhookModule)
for (const [at, token] of [HttpAdapterHost, OWN_ENDPOINT, DiscoveryService, ModuleRef].entries()) {
  Inject(token)(WebhookModule, undefined, at)
}

type Parts = readonly [HttpAdapterHost, Endpoint, DiscoveryService, ModuleRef]

const prepared = new WeakSet<object>()

interface Adapters {
  readonly express: Adapter & ExpressAdapter
  readonly fastify: Adapter & FastifyAdapter
}

interface Adapter {
  getType?(): string
}

/** Whether the application is on a platform; one without a server is on none. */
function isOf<Platform extends keyof Adapters>(
  platform: Platform,
  adapter: Adapter | null | undefined,
): adapter is Adapters[Platform] {
  return adapter?.getType?.() === platform
}
