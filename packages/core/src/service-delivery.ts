import type { NoSchemas, OutputOf } from './parse/schema.ts'
import type { SchemeKind } from './verify/scheme.ts'

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

/** Where any name is an event, those with a schema are told apart from it by their content only. */
export type ServiceDeliveries<Kind extends SchemeKind, Schemas, Event extends string> =
  | { [Name in Event]: ServiceDelivery<Kind, Name, Schemas> }[Event]
  | { [Name in keyof Schemas & string]: ServiceDelivery<Kind, Name, Schemas> }[keyof Schemas &
      string]
