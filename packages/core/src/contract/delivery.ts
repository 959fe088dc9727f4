import type { DeliverySchemas, NoSchemas, OutputOf } from '../parse/schema.ts'
import type { EventData, WebhookEvent } from './event.ts'

/** A delivery of an event that this receiver knows (contract, section 6). */
export interface KnownDelivery<Event extends string, Data> {
  /** Whether the event is one of the seven or in `extraEvents`. Check it first: TypeScript then knows the kind of delivery. */
  readonly known: true
  /** The identifier of the delivery. It is signed, unlike the one in the headers: deduplicate on this. */
  readonly id: string
  readonly event: Event
  /** When the delivery was created. By the contract ISO 8601 in UTC with milliseconds; the receiver does not check the format. */
  readonly created_at: string
  readonly data: {
    readonly instance_id: string
    readonly event: Event
    /** The content of the event. Its type is the output of the schema, the entry in `EventData`, or a plain object. */
    readonly data: Data
    /** When the event happened. By the contract ISO 8601 in UTC with milliseconds; the receiver does not check the format. */
    readonly timestamp: string
  }
}

/** A verified delivery of an event that this receiver does not know. */
export interface UnknownDelivery
  extends Omit<KnownDelivery<string, Readonly<Record<string, unknown>>>, 'known'> {
  readonly known: false
}

/** The type of `data.data` for an event: from a schema, else from `EventData`, else `Record<string, unknown>`. */
export type DataOf<Event extends string, Schemas> = Event extends keyof Schemas
  ? OutputOf<Schemas[Event]>
  : Event extends keyof EventData
    ? EventData[Event]
    : Readonly<Record<string, unknown>>

/**
 * A verified and parsed delivery.
 *
 * If `known` is true, the event has a type, and `event` narrows the type of `data.data`. If it is false, this release
 * does not know the event.
 */
export type Delivery<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> =
  | {
      [Event in WebhookEvent | ExtraEvent]: KnownDelivery<Event, DataOf<Event, Schemas>>
    }[WebhookEvent | ExtraEvent]
  | UnknownDelivery
