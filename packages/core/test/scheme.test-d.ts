import {
  createDeliveryHandler,
  createReceiver,
  memoryStore,
  type Scheme,
  type SchemeDelivery,
  typed,
  webhookHandler,
} from '@webhook-receiver/core'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

type Open = Readonly<Record<string, unknown>>

/** As services differ: with a signed id, with one that anybody can change, and without id and event. */
declare const signed: Scheme<
  string,
  { name: 'signed'; id: true; idSigned: true; event: true; events: Record<string, Open> }
>
declare const unsigned: Scheme<
  string,
  { name: 'unsigned'; id: true; idSigned: false; event: true; events: Record<string, Open> }
>
declare const bare: Scheme<
  string,
  { name: 'bare'; id: false; idSigned: false; event: false; events: Record<string, Open[]> }
>
declare const secret: string | undefined
declare const request: Request
const store = memoryStore()

interface Shop {
  'invoice.paid': { readonly amount: number }
  'charge.failed': { readonly why: string }
}

// Without types of its own, any name of an event compiles.
webhookHandler(
  secret,
  {
    'invoice.paid': ({ scheme, id, event, data }) =>
      expectTypeOf({ scheme, id, event, data }).toEqualTypeOf<{
        scheme: 'signed'
        id: string
        event: string
        data: Open
      }>(),
    any: (delivery) => expectTypeOf(delivery).toEqualTypeOf<SchemeDelivery<typeof signed>>(),
  },
  { scheme: signed, store },
)

// With types, an event has its own, and a misspelt one does not compile.
const shop = typed<Shop>(signed)
webhookHandler(
  secret,
  {
    'invoice.paid': ({ event, data }) =>
      expectTypeOf({ event, data }).toEqualTypeOf<{
        event: 'invoice.paid'
        data: { readonly amount: number }
      }>(),
    any: ({ event }) => expectTypeOf(event).toEqualTypeOf<keyof Shop>(),
  },
  { scheme: shop, store },
)
// @ts-expect-error misspelt
webhookHandler(secret, { 'invoice.payd': () => {} }, { scheme: shop })
// An event that is newer than the types.
webhookHandler(
  secret,
  { 'invoice.voided': ({ data }) => expectTypeOf(data).toEqualTypeOf<Open>() },
  { scheme: shop, extraEvents: ['invoice.voided'] },
)

// Schemas describe `data`; their keys are events.
webhookHandler(
  secret,
  {
    'invoice.paid': ({ data }) => expectTypeOf(data).toEqualTypeOf<{ at: Date }>(),
    'charge.failed': ({ data }) => expectTypeOf(data).toEqualTypeOf<Open>(),
  },
  {
    scheme: signed,
    schemas: { 'invoice.paid': z.object({ at: z.coerce.date() }) },
    onError: (_, { delivery }) => expectTypeOf(delivery.id).toEqualTypeOf<string>(),
  },
)
webhookHandler(secret, () => {}, {
  scheme: shop,
  // @ts-expect-error no event of the typed scheme
  schemas: { 'invoice.payd': z.object({}) },
})

// `duplicates` is needed with a store exactly where the id is not signed.
const repository = typed<{ push: { readonly ref: string } }>(unsigned)
const push = { push: ({ data }: { data: { ref: string } }) => data.ref }
webhookHandler(secret, push, { scheme: repository })
webhookHandler(secret, push, { scheme: repository, store, duplicates: 'body' })
webhookHandler(secret, push, {
  scheme: repository,
  store,
  duplicates: ({ id, data }) => `${id} ${data.ref}`,
})
// @ts-expect-error missing
webhookHandler(secret, push, { scheme: repository, store })
webhookHandler(secret, () => {}, { scheme: signed, store, duplicates: 'body' })
// @ts-expect-error there is no such way
webhookHandler(secret, () => {}, { scheme: signed, store, duplicates: 'event' })

// Without an event only one function, or `any`; without an id no 'id'.
webhookHandler(
  secret,
  (delivery) => {
    expectTypeOf(delivery).toEqualTypeOf<{
      readonly scheme: 'bare'
      readonly data: Open[]
    }>()
    // @ts-expect-error none
    return delivery.id
  },
  { scheme: bare },
)
webhookHandler(secret, { any: () => {} }, { scheme: bare, store, duplicates: 'body' })
// @ts-expect-error no events
webhookHandler(secret, { push: () => {} }, { scheme: bare })
// @ts-expect-error no id
webhookHandler(secret, () => {}, { scheme: bare, store, duplicates: 'id' })
// @ts-expect-error nothing to give types to
typed<Shop>(bare)
// @ts-expect-error a name is no scheme
webhookHandler(secret, () => {}, { scheme: 'stripe' })

// The same in a receiver and in a worker.
const { delivery } = await createReceiver(secret, { scheme: shop }).receiveRequest(request)
expectTypeOf(delivery).toEqualTypeOf<SchemeDelivery<typeof shop>>()
createDeliveryHandler(
  { push: ({ data }) => expectTypeOf(data).toEqualTypeOf<{ readonly ref: string }>() },
  { scheme: repository, store, duplicates: 'id' },
)
// @ts-expect-error missing
createDeliveryHandler({ push: () => {} }, { scheme: repository, store })
createReceiver(secret, {
  scheme: bare,
  publicUrl: (incoming) => {
    expectTypeOf(incoming).toEqualTypeOf<Request>()
    return incoming.url
  },
})
