import type { KnownDelivery, UnknownDelivery, WebhookEvent } from '@webhook-receiver/core'
import type { WireDelivery } from '@webhook-receiver/core/testing'
import type { FromSchema } from 'json-schema-to-ts'
import { expectTypeOf } from 'vitest'
import type { ENVELOPE, KNOWN_EVENTS, UNKNOWN_EVENT } from '../src/delivery-schema.ts'

type Open = Readonly<Record<string, unknown>>

/** Only the members that are named, at each level, and read-only as in core. */
type Named<Value> = Value extends string
  ? Value
  : { readonly [Key in keyof Value as string extends Key ? never : Key]: Named<Value[Key]> }

/** The same of a type of core: what it says of `data.data` is that it is an object. */
type Wire<Delivery> = Named<Omit<Delivery, 'known'>>

expectTypeOf<Named<FromSchema<typeof ENVELOPE>>>().toEqualTypeOf<Wire<WireDelivery>>()
expectTypeOf<Named<FromSchema<typeof UNKNOWN_EVENT>>>().toEqualTypeOf<Wire<UnknownDelivery>>()

type Known = {
  readonly [Event in WebhookEvent]: Named<FromSchema<(typeof KNOWN_EVENTS)[Event]>>
}
expectTypeOf<Known>().toEqualTypeOf<{
  readonly [Event in WebhookEvent]: Wire<KnownDelivery<Event, Open>>
}>()

// An object of any content has no member with a name.
expectTypeOf<Named<Open>>().toEqualTypeOf<Readonly<Record<never, never>>>()
