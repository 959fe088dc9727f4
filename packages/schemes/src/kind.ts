import type { SchemeKind } from '@webhook-receiver/core'
import type { HeaderPlace, PointerPlace, SchemeValue } from './value.ts'

/** What the types of deliveries depend on, read from the value of a scheme. */
export interface KindOf<Value extends SchemeValue> extends SchemeKind {
  readonly name: Value['name']
  readonly id: Value['id'] extends readonly unknown[]
    ? Value['idIsOptional'] extends true
      ? 'some'
      : true
    : false
  readonly idSigned: IsSigned<Value, Value['id']>
  readonly event: Value['event'] extends readonly unknown[] ? true : false
  readonly action: Value['action'] extends readonly unknown[] ? true : false
  readonly events: AnyEvent
}

/** The kind of a service, for declarations: the compiler compares it with the value. */
export interface ServiceKind<
  Name extends string,
  Id extends 'signed' | 'signed or none' | 'unsigned' | 'none',
  Event extends 'event' | 'event and action' | 'none',
> extends SchemeKind {
  readonly name: Name
  readonly id: Id extends 'none' ? false : Id extends 'signed or none' ? 'some' : true
  readonly idSigned: Id extends 'signed' | 'signed or none' ? true : false
  readonly event: Event extends 'none' ? false : true
  readonly action: Event extends 'event and action' ? true : false
  readonly events: AnyEvent
}

interface AnyEvent {
  readonly [event: string]: Readonly<Record<string, unknown>>
}

/** Whether all places are signed: a pointer if the body is, a header if it is a part itself. `coverageOf` computes the same. */
type IsSigned<Value extends SchemeValue, Places> = Places extends readonly (infer Place)[]
  ? [Place] extends [
      | SignedPlace<Value['signed'][number]>
      // `coverageOf` looks at how it is written, too.
      | { readonly header: Value['signature']['header'] },
    ]
    ? true
    : false
  : false

type SignedPlace<Part> = ('body' extends Part ? PointerPlace : never) | Extract<Part, HeaderPlace>
