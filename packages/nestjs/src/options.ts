import type { FactoryProvider, ModuleMetadata } from '@nestjs/common'
import type {
  Delivery,
  DeliveryHandlerOptions,
  DeliverySchemas,
  NoSchemas,
  ReceiverOptions,
  SecretSource,
} from '@webhook-receiver/core/adapter'

/** What a secret function is given: the request of Express or of Fastify. Annotate its parameter to get the rest of it. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly url: string
  readonly method: string
  readonly params: unknown
  readonly query: unknown
}

/** What a factory returns for `forRootAsync`. */
export interface WebhookEndpointOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Request = WebhookRequest,
> extends ReceiverOptions<Schemas, ExtraEvent> {
  /** One secret, several by name, or a function of the request. */
  readonly secret: SecretSource<Request>
  /**
   * The store, the time limits and the hooks of the methods with `@OnDelivery`. Its `endpoint` is the name of this
   * endpoint, and `extraEvents`, `now` and `onRejected` are those of the receiver, unless it has its own.
   * @default none: a duplicate is handled again
   */
  readonly handling?: DeliveryHandlerOptions<string, unknown> | undefined
}

interface Named {
  /**
   * The name of the endpoint, for an application with several: `@WebhookEndpoint(name)` and
   * `@OnDelivery(event, { name })` belong to it.
   * @default 'default'
   */
  readonly name?: string | undefined
}

/** What `WebhookModule.forRoot` takes. */
export type WebhookModuleOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Request = WebhookRequest,
> = Named & WebhookEndpointOptions<Schemas, ExtraEvent, Request>

/** The options of any endpoint, whatever its schemas and the type of its requests. */
export type AnyEndpointOptions = WebhookEndpointOptions<DeliverySchemas, string, never>

/** A delivery of any endpoint. */
export type AnyDelivery = Delivery<DeliverySchemas, string>

/** What `WebhookModule.forRootAsync` takes. */
export interface WebhookModuleAsyncOptions
  extends Named,
    Pick<ModuleMetadata, 'imports'>,
    Pick<FactoryProvider<AnyEndpointOptions>, 'inject' | 'useFactory'> {}
