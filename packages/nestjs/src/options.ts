import type { FactoryProvider, ModuleMetadata } from '@nestjs/common'
import type {
  DeliverySchemas,
  SchemeKind,
  SecretSource,
  WebhookHandlerOptions,
} from '@webhook-receiver/core'
import type {
  ContractKind,
  DeliveryFor,
  ForwardErrors,
  NoSchemas,
} from '@webhook-receiver/core/adapter'

/** The argument of a secret function: the request of Express or of Fastify. For its other properties, annotate the parameter with the type of your platform. */
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
  Kind extends SchemeKind = ContractKind,
> extends WebhookHandlerOptions<Schemas, ExtraEvent, unknown, Request, Kind>,
    ForwardErrors {
  /** One secret, several by name, or a function of the request. */
  readonly secret: SecretSource<Request>
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
  Kind extends SchemeKind = ContractKind,
> = Named & WebhookEndpointOptions<Schemas, ExtraEvent, Request, Kind>

/** The options of any endpoint, whatever its scheme, its schemas and the type of its requests. */
export type AnyEndpointOptions = WebhookEndpointOptions<DeliverySchemas, string, never, SchemeKind>

/** A delivery of any endpoint. */
export type AnyDelivery = DeliveryFor<SchemeKind, DeliverySchemas, string>

/** The options of `WebhookModule.forRootAsync`. */
export interface WebhookModuleAsyncOptions
  extends Named,
    Pick<ModuleMetadata, 'imports'>,
    Pick<FactoryProvider<AnyEndpointOptions>, 'inject' | 'useFactory'> {}
