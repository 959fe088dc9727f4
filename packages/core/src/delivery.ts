import type { EventData, WebhookEvent } from './contract/event.ts'
import type { DeliverySchemas, NoSchemas, OutputOf } from './parse/schema.ts'
import type { Scheme, SchemeKind, WholeOr } from './verify/scheme.ts'

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

/** Not an interface, which a declaration of the application could not name. */
type ServiceParts<Kind extends SchemeKind, Event, Data> = {
  /** The name of the scheme. */
  readonly scheme: Kind['name']
  /** The identifier of the delivery. Whether it is signed depends on the service: `verification.unsigned` says so. */
  readonly id: string
  /** Whether it is signed depends on the service: `verification.unsigned` says so. */
  readonly event: Event
  /** What happened: `opened`, where the event is `issues`. Absent if the body does not say. */
  readonly action?: string
  /** The parsed body, or what the schema made of it. */
  readonly data: Data
}

/** A verified delivery of a service that signs by another scheme than the contract. What the service does not have is absent. */
export type ServiceDelivery<
  Kind extends SchemeKind,
  Event extends string = string,
  Schemas = NoSchemas,
  Action extends string = string,
> = Pick<
  ServiceParts<Kind, Event, DataWith<Action, ServiceData<Kind, Event, Schemas>>>,
  | 'scheme'
  | 'data'
  | (Kind['id'] extends true ? 'id' : never)
  | (Kind['event'] extends true ? 'event' : never)
  | (Kind['action'] extends true ? 'action' : never)
> &
  (Kind['id'] extends 'some' ? Partial<Pick<ServiceParts<Kind, Event, unknown>, 'id'>> : unknown)

type ServiceData<Kind extends SchemeKind, Event, Schemas> = Event extends keyof Schemas
  ? OutputOf<Schemas[Event]>
  : Event extends keyof Kind['events']
    ? Kind['events'][Event]
    : Readonly<Record<string, unknown>>

/** Of several types, those with this action; a type that does not say which it has remains. */
type DataWith<Action extends string, Data> = Data extends { readonly action: infer Own }
  ? Action extends Own
    ? Data
    : string extends Action
      ? Data
      : never
  : Data

/**
 * The names of handlers for one action of an event, such as `issues.opened`. Where no type of an event has its actions, each may have any;
 * where any name is an event, so is such a name.
 */
export type ActionName<
  Kind extends SchemeKind,
  ExtraEvent extends string = never,
> = Kind['action'] extends true
  ? string extends EventOf<Kind>
    ? never
    : NameOfAction<Kind['events'], EventOf<Kind>> | `${ExtraEvent}.${string}`
  : never

type NameOfAction<Events, Event extends keyof Events & string> = [
  ActionOf<Events[keyof Events]>,
] extends [never]
  ? `${Event}.${string}`
  : { [Name in Event]: `${Name}.${ActionOf<Events[Name]>}` }[Event]

type ActionOf<Data> = Data extends { readonly action: infer Action extends string } ? Action : never

/** The delivery for a handler of this name: that of an event, or of one action. */
export type DeliveryNamed<
  Kind extends SchemeKind,
  Name extends string,
  Schemas = NoSchemas,
> = Kind['action'] extends true
  ? Name extends `${infer Event}.${infer Action}`
    ? ServiceDelivery<Kind, Event, Schemas, Action>
    : ServiceDelivery<Kind, Name, Schemas>
  : ServiceDelivery<Kind, Name, Schemas>

/** The names of events that have a type; `string` if any name is an event, and none if the service has no names of events. */
export type EventOf<Kind extends SchemeKind> = Kind['event'] extends true
  ? keyof Kind['events'] & string
  : never

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

/** Where any name is an event, those with a schema are told apart from it by their content only. */
type ServiceDeliveries<Kind extends SchemeKind, Schemas, Event extends string> =
  | { [Name in Event]: ServiceDelivery<Kind, Name, Schemas> }[Event]
  | { [Name in keyof Schemas & string]: ServiceDelivery<Kind, Name, Schemas> }[keyof Schemas &
      string]

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
