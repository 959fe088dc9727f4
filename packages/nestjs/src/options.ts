import type { FactoryProvider, ModuleMetadata } from '@nestjs/common'
import type {
  Delivery,
  DeliveryHandlerOptions,
  DeliverySchemas,
  NoSchemas,
  ReceiverOptions,
  SecretSource,
} from '@webhook-receiver/core/adapter'

/** The argument of a secret function: the request of Express or of Fastify. For its other members, annotate the parameter with the type of your platform. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly url: string
  readonly method: string
  readonly params: unknown
  readonly query: unknown
}

/** The options that the factory of `forRootAsync` returns. */
export interface WebhookEndpointOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Request = WebhookRequest,
> extends ReceiverOptions<Schemas, ExtraEvent> {
  /** One secret, several by name, or a function of the request. */
  readonly secret: SecretSource<Request>
  /**
   * The options of `deliveryHandler` for the methods with `@OnDelivery`: the store, the time limits and the hooks. By default,
   * its `endpoint` is the name of this endpoint, and its `extraEvents`, `now` and `onRejected` are those of the receiver.
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

/** The options of `WebhookModule.forRoot`. */
export type WebhookModuleOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Request = WebhookRequest,
> = Named & WebhookEndpointOptions<Schemas, ExtraEvent, Request>

/** The options of any endpoint, whatever its schemas and the type of its requests. */
export type AnyEndpointOptions = WebhookEndpointOptions<DeliverySchemas, string, never>

/** A delivery of any endpoint. */
export type AnyDelivery = Delivery<DeliverySchemas, string>

/** The options of `WebhookModule.forRootAsync`. */
export interface WebhookModuleAsyncOptions
  extends Named,
    Pick<ModuleMetadata, 'imports'>,
    Pick<FactoryProvider<AnyEndpointOptions>, 'inject' | 'useFactory'> {}
