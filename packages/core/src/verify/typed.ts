import type { Scheme, SchemeKind } from './scheme.ts'

/** A kind of scheme whose deliveries have the name of an event, with the types of `data` by event. */
export interface TypedKind<Events extends object> extends SchemeKind {
  readonly event: true
  readonly events: Events
}

type SignedId<Events extends object> = TypedKind<Events> & {
  readonly id: true
  readonly idSigned: true
}

type SomeIds<Events extends object> = TypedKind<Events> & {
  readonly id: 'some'
  readonly idSigned: true
}

type UnsignedId<Events extends object> = TypedKind<Events> & {
  readonly id: true
  readonly idSigned: false
}

type WithoutId<Events extends object> = TypedKind<Events> & {
  readonly id: false
  readonly idSigned: false
}

/** A kind of scheme whose deliveries have an action besides. */
type WithAction = {
  readonly action: true
}

/**
 * Gives a scheme the types of `data` by event, for example from the service's own package: then a misspelt event does not
 * compile. Nothing is checked at runtime, and the service may send events that its types do not have.
 *
 * @example
 * const shop = typed<{ 'invoice.paid': Invoice }>(stripe)
 */
export function typed<Events extends object>(
  scheme: Scheme<unknown, SignedId<object> & WithAction>,
): Scheme<unknown, SignedId<Events> & WithAction>
export function typed<Events extends object>(
  scheme: Scheme<unknown, UnsignedId<object> & WithAction>,
): Scheme<unknown, UnsignedId<Events> & WithAction>
export function typed<Events extends object>(
  scheme: Scheme<unknown, WithoutId<object> & WithAction>,
): Scheme<unknown, WithoutId<Events> & WithAction>
export function typed<Events extends object>(
  scheme: Scheme<unknown, SignedId<object>>,
): Scheme<unknown, SignedId<Events>>
export function typed<Events extends object>(
  scheme: Scheme<unknown, SomeIds<object>>,
): Scheme<unknown, SomeIds<Events>>
export function typed<Events extends object>(
  scheme: Scheme<unknown, UnsignedId<object>>,
): Scheme<unknown, UnsignedId<Events>>
export function typed<Events extends object>(
  scheme: Scheme<unknown, WithoutId<object>>,
): Scheme<unknown, WithoutId<Events>>
export function typed(scheme: unknown): unknown {
  return scheme
}
