import {
  type Delivery,
  memoryStore,
  type TransactionalDeliveryStore,
  type Verification,
  webhookHandler,
} from '@webhook-receiver/core'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

type Open = Readonly<Record<string, unknown>>

declare const secret: string | undefined
declare const sql: TransactionalDeliveryStore<{ query: string }>

// Each handler gets deliveries of its event.
const POST = webhookHandler(secret, {
  'message.received': async (delivery, { request, signal, transaction, verification, args }) => {
    expectTypeOf(delivery.event).toEqualTypeOf<'message.received'>()
    expectTypeOf(delivery.data.data).toEqualTypeOf<Open>()
    expectTypeOf({ request, signal, transaction, verification, args }).toEqualTypeOf<{
      request: Request
      signal: AbortSignal
      transaction: undefined
      verification: Verification
      args: readonly unknown[]
    }>()
  },
  unknown: (delivery) => expectTypeOf(delivery.known).toEqualTypeOf<false>(),
  any: (delivery) => expectTypeOf(delivery).toEqualTypeOf<Delivery>(),
})

// It takes a Request, what follows one, and an object that has one.
declare const request: Request
declare const event: { request: Request; locals: { secret: string } }
expectTypeOf(POST(request)).toEqualTypeOf<Promise<Response>>()
POST(request, { params: {} })
POST(event)
// @ts-expect-error no Request
POST({ url: '/' })

// Schemas, events and the store of the options, behind the handlers, reach the handlers.
webhookHandler(
  secret,
  {
    'message.received': ({ data }, { transaction }) => {
      expectTypeOf(data.data).toEqualTypeOf<{ text: string }>()
      expectTypeOf(transaction.query).toEqualTypeOf<string>()
    },
    'message.reacted': ({ data }) => expectTypeOf(data.data).toEqualTypeOf<{ emoji: string }>(),
    'message.pinned': ({ event, data }) => {
      expectTypeOf(event).toEqualTypeOf<'message.pinned'>()
      expectTypeOf(data.data).toEqualTypeOf<Open>()
    },
  },
  {
    schemas: {
      'message.received': z.object({ text: z.string() }),
      'message.reacted': z.object({ emoji: z.string() }),
    },
    extraEvents: ['message.reacted', 'message.pinned'],
    store: sql,
  },
)

// An annotated secret function says what follows the Request, as on Workers.
interface Env {
  readonly SECRET: string
}
const worker = webhookHandler((_request: Request, env: Env, _ctx: object) => env.SECRET, {
  any: (_, { args }) => expectTypeOf(args).toEqualTypeOf<[env: Env, _ctx: object]>(),
})
expectTypeOf(worker).parameters.toExtend<readonly unknown[]>()
worker(request, { SECRET: '' }, {})
// @ts-expect-error the environment has another name for it
worker(request, { SECERT: '' }, {})
export const entry: {
  fetch(request: Request, env: Env, ctx: object): Promise<Response>
} = { fetch: worker }

// The same for an object with a Request.
const secretOf = (_request: Request, { locals }: typeof event) => locals.secret
// @ts-expect-error without locals
webhookHandler(secretOf, () => {})({ request })
webhookHandler(secretOf, () => {})(event)

// One function for every event, and onError gets what that got.
webhookHandler(secret, (delivery) => expectTypeOf(delivery).toEqualTypeOf<Delivery>(), {
  onError: (error, { delivery, request }) =>
    expectTypeOf([error, delivery, request] as const).toEqualTypeOf<
      readonly [unknown, Delivery, Request]
    >(),
})

// @ts-expect-error a misspelt event
webhookHandler(secret, { 'message.recieved': async () => {} })
// @ts-expect-error an event that is not named in extraEvents
webhookHandler(secret, { 'message.reacted': async () => {} }, { extraEvents: ['message.pinned'] })
// @ts-expect-error no handlers
webhookHandler(secret)
// @ts-expect-error a misspelt option
webhookHandler(secret, () => {}, { stor: memoryStore() })
