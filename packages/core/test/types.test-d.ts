import {
  type Acceptance,
  createReceiver,
  type Delivery,
  type DeliverySchemas,
  type Receiver,
  type ReceiverOptions,
  type Rejection,
  type UnknownDelivery,
  type Unprocessable,
  type Verification,
  WebhookError,
  type WebhookEvent,
} from '@webhook-receiver/core'
import { type Attached, type NoSchemas, requireAttached } from '@webhook-receiver/core/adapter'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import * as v from 'valibot'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

type Open = Readonly<Record<string, unknown>>

declare const secret: string | undefined
declare const request: Request
declare const delivery: Delivery

// The union: seven events that are known, and one variant for all others.
expectTypeOf<Extract<Delivery, { known: true }>['event']>().toEqualTypeOf<WebhookEvent>()
expectTypeOf<Extract<Delivery, { known: false }>>().toEqualTypeOf<UnknownDelivery>()
expectTypeOf([delivery.id, delivery.event]).toEqualTypeOf<string[]>()
expectTypeOf(delivery.data.data).toEqualTypeOf<Open>()

if (delivery.known) {
  // @ts-expect-error no such event
  if (delivery.event === 'message.recieved') throw delivery
} else {
  expectTypeOf(delivery.event).toEqualTypeOf<string>()
}

// @ts-expect-error what is handed out is read-only
delivery.id = 'other'
// @ts-expect-error on every level
delivery.data.instance_id = 'other'

// Without schemas.
const plain = createReceiver(secret)
expectTypeOf(plain).toEqualTypeOf<Receiver<Delivery, Request>>()
const { delivery: first, verification } = await plain.receiveRequest(request)
expectTypeOf(first).toEqualTypeOf<Delivery>()
expectTypeOf(verification).toEqualTypeOf<Verification>()
expectTypeOf(verification.unsigned).toExtend<readonly string[]>()

// Two libraries in one map, and an event of this application's own.
const typed = createReceiver(secret, {
  schemas: {
    'message.received': z.object({ text: z.string(), at: z.string().transform(Number) }),
    'message.sent': v.object({ count: v.pipe(v.string(), v.transform(Number)) }),
    'message.reacted': z.object({ emoji: z.string() }),
  },
  extraEvents: ['message.reacted', 'message.pinned'],
})
const { delivery: second } = await typed.receiveRequest(request)
if (second.known) {
  expectTypeOf(second.event).toEqualTypeOf<WebhookEvent | 'message.reacted' | 'message.pinned'>()
  switch (second.event) {
    case 'message.received':
      expectTypeOf(second.data.data).toEqualTypeOf<{ text: string; at: number }>()
      break
    case 'message.sent':
      expectTypeOf(second.data.data).toEqualTypeOf<{ count: number }>()
      break
    case 'message.reacted':
      expectTypeOf(second.data.data).toEqualTypeOf<{ emoji: string }>()
      break
    case 'message.pinned':
    case 'message.failed':
      expectTypeOf(second.data.data).toEqualTypeOf<Open>()
      break
  }
}

// A misspelt option or event is an error where it is written.
// @ts-expect-error `tolerance` is misspelt
createReceiver(secret, { tolerence: 300 })
// @ts-expect-error retry or reject
createReceiver(secret, { schemaMismatch: 'ignore' })
// @ts-expect-error `message.received` is misspelt
createReceiver(secret, { schemas: { 'message.recieved': z.object({}) } })
// @ts-expect-error not named in extraEvents
createReceiver(secret, { schemas: { 'message.reacted': z.object({}) } })
// @ts-expect-error no Standard Schema
createReceiver(secret, { schemas: { 'message.read': { by: 'string' } } })
// @ts-expect-error a list of names
createReceiver(secret, { extraEvents: 'message.reacted' })
// @ts-expect-error not null
createReceiver(null)

// A key of schemas that is not an event: the compiler's message names it.
type Schema = DeliverySchemas[string]
type SchemaOf<Event extends string> = NonNullable<
  ReceiverOptions<Record<Event, Schema>, 'message.reacted'>['schemas']
>[Event]
expectTypeOf<
  SchemaOf<'message.recieved'>
>().toExtend<"'message.recieved' is not an event: name it in extraEvents">()
expectTypeOf<SchemaOf<'message.received' | 'message.reacted'>>().toEqualTypeOf<Schema>()

// Secrets: whatever process.env gives, names, or a function of the context.
createReceiver({ current: process.env.A, previous: process.env.B })
createReceiver((incoming) => {
  expectTypeOf(incoming).toEqualTypeOf<Request>()
  return secret
})
createReceiver(async (incoming) => ({ current: incoming.headers.get('x-tenant') ?? undefined }))
const tenants = createReceiver<{ tenant: string }>(({ tenant }) => tenant)
await tenants.receiveRequest(request, { tenant: 'blue' })
// @ts-expect-error the context is needed where it is not the Request
await tenants.receiveRequest(request)
// @ts-expect-error and is no other
await tenants.receiveRequest(request, { tenant: 1 })

// Hooks.
createReceiver(secret, {
  onAccepted: (fact) => expectTypeOf(fact).toEqualTypeOf<Acceptance>(),
  onRejected: async (fact) => {
    expectTypeOf(fact).toEqualTypeOf<Rejection>()
    // @ts-expect-error a rejection has no body
    fact.rawBody
  },
  onUnprocessable: (fact) => expectTypeOf(fact).toEqualTypeOf<Unprocessable>(),
})

// Errors.
expectTypeOf(new WebhookError('signature_missing', '').status).toEqualTypeOf<
  400 | 401 | 403 | 405 | 408 | 410 | 413 | 415 | 422 | 500 | 503
>()
// @ts-expect-error no such reason
new WebhookError('signature_wrong', '')

// What frameworks attach.
expectTypeOf<Attached<{ body: Delivery<NoSchemas, 'a'> }>>().toEqualTypeOf<
  Delivery<NoSchemas, 'a'>
>()
expectTypeOf<Attached<{ body: unknown }>>().toEqualTypeOf<Delivery | undefined>()
expectTypeOf<Attached<{ url: string }>>().toEqualTypeOf<Delivery | undefined>()
// What JSON.parse gives is what frameworks say of a body: anything.
expectTypeOf<Attached<{ body: ReturnType<typeof JSON.parse> }>>().toEqualTypeOf<
  Delivery | undefined
>()
expectTypeOf(requireAttached(delivery as Delivery | undefined)).toEqualTypeOf<Delivery>()

// The testing entry.
expectTypeOf(sampleDelivery('message.read').event).toEqualTypeOf<'message.read'>()
expectTypeOf(sampleDelivery('message.reacted').data.event).toEqualTypeOf<'message.reacted'>()
expectTypeOf((await signDelivery('', {})).body).toEqualTypeOf<Uint8Array<ArrayBuffer>>()
expectTypeOf((await signDelivery('', {})).headers).toExtend<Record<string, string>>()
// @ts-expect-error a number cannot be signed
await signDelivery('', 1)
