import type { EventData, WebhookEvent } from './parse/event.ts'
import type { DeliverySchemas, NoSchemas, OutputOf } from './parse/schema.ts'

/** A delivery of an event that this receiver knows (contract, section 6). */
export interface KnownDelivery<Event extends string, Data> {
  /** Whether the event is one of the seven, or of `extraEvents`. Tells the two kinds of delivery apart. */
  readonly known: true
  /** Identifier of the delivery. Signed, unlike X-Webhook-Id: deduplicate on this. */
  readonly id: string
  readonly event: Event
  /** When the delivery was created: ISO 8601, UTC, with milliseconds. */
  readonly created_at: string
  readonly data: {
    readonly instance_id: string
    readonly event: Event
    /** The event's own content: the schema's output, or the `EventData` entry, or a plain object. */
    readonly data: Data
    /** When the event happened: ISO 8601, UTC, with milliseconds. */
    readonly timestamp: string
  }
}

/** An authentic delivery of an event that is newer than this receiver. */
export interface UnknownDelivery
  extends Omit<KnownDelivery<string, Readonly<Record<string, unknown>>>, 'known'> {
  readonly known: false
}

/** What `data.data` is for an event: what a schema gives, else what `EventData` says, else an open object. */
export type DataOf<Event extends string, Schemas> = Event extends keyof Schemas
  ? OutputOf<Schemas[Event]>
  : Event extends keyof EventData
    ? EventData[Event]
    : Readonly<Record<string, unknown>>

/**
 * A delivery whose signature and age were checked, parsed.
 *
 * `known` tells the events that are typed from those that came after this release; behind it,
 * `event` narrows `data.data`.
 */
export type Delivery<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> =
  | {
      [Event in WebhookEvent | ExtraEvent]: KnownDelivery<Event, DataOf<Event, Schemas>>
    }[WebhookEvent | ExtraEvent]
  | UnknownDelivery

/** How a delivery was verified. */
export interface Verification {
  /** The body as received, the very bytes that were signed. */
  readonly rawBody: Uint8Array
  /** X-Webhook-Timestamp as sent. Signed. */
  readonly timestamp: string
  /** The name of the secret that matched; `undefined` where the secrets have no names. */
  readonly secretName: string | undefined
  /** X-Webhook-Id. **Not covered by the signature**: never decide anything by it. */
  readonly webhookId: string | undefined
}

/** What a receiver passes on: nothing of it is there unless the whole delivery was accepted. */
export interface Received<Attached = Delivery> {
  readonly delivery: Attached
  readonly verification: Verification
}
