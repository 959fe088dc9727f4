import type { DataOf, Delivery, KnownDelivery, UnknownDelivery } from '../contract/delivery.ts'
import type { WebhookEvent } from '../contract/event.ts'
import type { DeliveryFor } from '../delivery.ts'
import type { DeliverySchemas, NoSchemas } from '../parse/schema.ts'
import type { ActionName, DeliveryNamed, EventOf, ServiceDelivery } from '../service-delivery.ts'
import type { SchemeKind, WholeOr } from '../verify/scheme.ts'

/** What every handler gets besides the delivery. */
export interface HandlerContext<Transaction = undefined> {
  /**
   * Aborted when the claim is lost, or when the handler has run for `abandonAfter`. The same delivery may then be handled
   * again, so stop and throw an error. Effects after that can happen twice.
   */
  readonly signal: AbortSignal
  /** The transaction in which the delivery is marked as done; `undefined` unless the store is transactional. */
  readonly transaction: Transaction
}

/** Handles a delivery. A returned promise is awaited. If the function throws, the status is 500. */
export type DeliveryWork<Handled, Context = HandlerContext> = (
  delivery: Handled,
  context: Context,
) => unknown

/** Handlers by event. A delivery without a handler is acknowledged and forgotten. */
export type DeliveryHandlers<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Context = HandlerContext,
> = {
  readonly [Event in WebhookEvent | ExtraEvent]?: Event extends 'unknown' | 'any'
    ? // TypeScript checks every key during inference; skip these two.
      unknown
    : DeliveryWork<KnownDelivery<Event, DataOf<Event, Schemas>>, Context> | undefined
} & {
  /** Handles events that this receiver does not know. */
  readonly unknown?: DeliveryWork<UnknownDelivery, Context> | undefined
  /** Handles every event that has no handler, including unknown ones. */
  readonly any?: DeliveryWork<Delivery<Schemas, ExtraEvent>, Context> | undefined
}

/** Handlers of the deliveries of another scheme, by event, or by event and action. A delivery without a handler is acknowledged and forgotten. */
type ServiceHandlers<
  Kind extends SchemeKind,
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Context = HandlerContext,
> = {
  readonly [Event in Exclude<EventOf<Kind> | ExtraEvent, 'any'>]?:
    | (string extends Event
        ? AnyWork<ServiceDelivery<Kind>, Context>
        : DeliveryWork<ServiceDelivery<Kind, Event, Schemas>, Context>)
    | undefined
} & {
  readonly [Event in keyof Schemas & string]?:
    | DeliveryWork<ServiceDelivery<Kind, Event, Schemas>, Context>
    | undefined
} & {
  readonly [Name in ActionName<Kind, ExtraEvent>]?:
    | DeliveryWork<DeliveryNamed<Kind, Name, Schemas>, Context>
    | undefined
} & OneHandler<Kind, Schemas, ExtraEvent, Context>

interface OneHandler<
  Kind extends SchemeKind,
  Schemas extends DeliverySchemas,
  ExtraEvent extends string,
  Context,
> {
  /** Handles every event that has no handler. */
  readonly any?: AnyWork<DeliveryFor<Kind, Schemas, ExtraEvent>, Context> | undefined
}

/** Written as a method, so that beside an index signature a handler may take a delivery with more of a type. */
type AnyWork<Handled, Context> = {
  work(delivery: Handled, context: Context): unknown
}['work']

/** The handlers of any kind of scheme. */
export type HandlersFor<
  Kind extends SchemeKind,
  Schemas extends DeliverySchemas,
  ExtraEvent extends string,
  Context,
> = WholeOr<
  Kind,
  DeliveryHandlers<Schemas, ExtraEvent, Context>,
  Kind['event'] extends true
    ? ServiceHandlers<Kind, Schemas, ExtraEvent, Context>
    : OneHandler<Kind, Schemas, ExtraEvent, Context>
>
