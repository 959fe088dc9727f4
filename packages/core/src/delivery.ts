import type { Delivery } from './contract/delivery.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import type { EventOf, ServiceDeliveries, ServiceDelivery } from './service-delivery.ts'
import type { Scheme, SchemeKind, WholeOr } from './verify/scheme.ts'

/** What a receiver of this kind of scheme hands out. */
export type DeliveryFor<
  Kind extends SchemeKind,
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> = WholeOr<
  Kind,
  Delivery<Schemas, ExtraEvent>,
  Kind['event'] extends true
    ? ServiceDeliveries<Kind, Schemas, EventOf<Kind> | ExtraEvent | (keyof Schemas & string)>
    : ServiceDelivery<Kind>
>

/**
 * The delivery of a scheme, for functions of your own.
 *
 * @example
 * function invoicePaid(delivery: SchemeDelivery<typeof stripe>) { … }
 */
export type SchemeDelivery<
  Given,
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> =
  Given extends Scheme<unknown, infer Kind extends SchemeKind>
    ? DeliveryFor<Kind, Schemas, ExtraEvent>
    : never
