import { SetMetadata } from '@nestjs/common'
import type {
  DeliverySchemas,
  EventData,
  KnownDelivery,
  Scheme,
  SchemeKind,
  UnknownDelivery,
  WebhookContext,
  WebhookEvent,
} from '@webhook-receiver/core'
import type {
  ActionName,
  DataOf,
  DeliveryFor,
  DeliveryNamed,
  EventOf,
  NoSchemas,
} from '@webhook-receiver/core/adapter'
import { checkMethod, DEFAULT_NAME, metadataOf, ON_DELIVERY } from './names.ts'

interface OnDeliveryOptions {
  /**
   * The name of the endpoint.
   * @default 'default'
   */
  readonly name?: string | undefined
}

/** The options of `@OnDelivery` for an endpoint with a `scheme`. */
interface OnSchemeDeliveryOptions<Kind extends SchemeKind> extends OnDeliveryOptions {
  /** The scheme of the endpoint, for its types. */
  readonly scheme: Scheme<unknown, Kind>
}

/** An event that a method can handle: one of the seven, one that you have added to `EventData`, `any` or `unknown`. */
type HandledEvent = WebhookEvent | (keyof EventData & string) | 'any' | 'unknown'

/**
 * The delivery of one event: `DeliveryOf<'message.received'>`, with schemas `DeliveryOf<'message.received', typeof schemas>`, and of a
 * service `DeliveryOf<'invoice.paid', typeof stripe>`, or `'any'`.
 */
export type DeliveryOf<Event extends string, Given extends DeliverySchemas | object = NoSchemas> =
  Given extends Scheme<unknown, infer Kind extends SchemeKind>
    ? Event extends 'any'
      ? DeliveryFor<Kind>
      : DeliveryNamed<Kind, Event>
    : KnownDelivery<Event, DataOf<Event, Given>>

/** What a method is for. */
export interface Handled {
  readonly event: string
  readonly name: string
  /** What a warning calls the method: `Class.method`. */
  readonly title: string
}

/** What is given to the method of an event. Whatever its content is declared as fits. */
type HandledDelivery<Event extends string> = Event extends 'any'
  ? HandledDelivery<WebhookEvent | 'unknown'>
  : Event extends 'unknown'
    ? UnknownDelivery
    : KnownDelivery<Event, never>

/**
 * Calls a method of a provider or of a controller for each verified delivery of an event, or of one action of it, such as
 * `issues.opened`. `any` means every event without a method of its own, `unknown` means events that this package does not know. Repeat
 * the decorator for several events. If no method handles the event, the delivery is acknowledged.
 * If the method returns an Observable, it is subscribed to until it completes. Guards, pipes, interceptors and filters on
 * the method have no effect.
 *
 * Two methods for one event, or an event that the default format does not have, are a TypeError at start.
 *
 * @example
 * @OnDelivery('message.received')
 * async received(delivery: DeliveryOf<'message.received'>) { … }
 */
export function OnDelivery<const Event extends HandledEvent | (string & {})>(
  event: Event,
  options?: OnDeliveryOptions,
): OnEventDecorator<Event>
/** For an endpoint with a `scheme`, whose events are then checked here too. */
export function OnDelivery<
  Kind extends SchemeKind,
  const Event extends EventOf<Kind> | ActionName<Kind> | 'any',
>(
  event: Event,
  options: OnSchemeDeliveryOptions<Kind>,
): OnDeliveryDecorator<HandledOfScheme<Kind, Event>>
export function OnDelivery(
  event: string,
  { name = DEFAULT_NAME }: OnDeliveryOptions = {},
): OnDeliveryDecorator<never> {
  // Without the call, the class comes first.
  if (typeof event !== 'string') {
    throw new TypeError("Write @OnDelivery('any').")
  }
  return (target, key, descriptor) => {
    checkMethod(`@OnDelivery('${event}')`, descriptor)
    const handled = { event, name, title: `${target.constructor.name}.${String(key)}` }
    declared.push(handled)
    const all = [...handledBy(Object(descriptor.value)), handled]
    SetMetadata(ON_DELIVERY, all)(target, key, descriptor)
  }
}

/** For a method whose parameter says what it handles: a delivery of the default format, or of a service. */
type OnEventDecorator<Event extends string> = <
  Method extends (delivery: never, context: WebhookContext<never, never>) => unknown,
>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method> & Checked<Event, Method>,
) => void

type Checked<Event extends string, Method> = Event extends HandledEvent
  ? Method extends (delivery: HandledDelivery<Event>, context: never) => unknown
    ? unknown
    : OfService<Event, Method>
  : OfService<Event, Method>

/** The delivery of a service names its scheme, and its event. */
type OfService<Event extends string, Method> = Method extends () => unknown
  ? Undeclared<Event>
  : Method extends (
        delivery: infer Given extends { readonly scheme: string },
        context: never,
      ) => unknown
    ? Event extends 'any' | NamesOf<Given>
      ? unknown
      : { readonly error: `The delivery of this method is not one of ${Event}.` }
    : Undeclared<Event>

interface Undeclared<Event extends string> {
  readonly error: `Of the default format, ${Event} is no event or has another delivery. For a service, declare the delivery as DeliveryOf<'${Event}', typeof scheme>.`
}

type NamesOf<Given> = Given extends { readonly event: infer Name extends string }
  ? Name | `${Name}.${string}`
  : never

type OnDeliveryDecorator<Handled> = <
  Method extends (delivery: Handled, context: WebhookContext<never, never>) => unknown,
>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void

/** Whatever its content is declared as fits. */
type HandledOfScheme<Kind extends SchemeKind, Event extends string> = Event extends 'any'
  ? DeliveryFor<Kind>
  : Omit<DeliveryNamed<Kind, Event>, 'data'> & { readonly data: never }

/** Each use of `@OnDelivery`, whether its class is part of an application or not. */
export const declared: Handled[] = []

/** What a method is for; nothing where it has no `@OnDelivery`. */
export function handledBy(method: object): readonly Handled[] {
  return metadataOf<readonly Handled[]>(ON_DELIVERY, method) ?? []
}
