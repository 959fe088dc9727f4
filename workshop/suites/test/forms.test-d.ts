import {
  type Delivery,
  memoryStore,
  type TransactionalDeliveryStore,
  type Verification,
} from '@webhook-receiver/core'
import type {
  ForwardErrors,
  MiddlewareForm,
  WebhookHandlerFor,
  WebhookMiddlewareFor,
} from '@webhook-receiver/core/adapter'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

// The types that the forms of adapters have. Each adapter tests that its own are these, and what its framework makes of them.

interface Request {
  readonly hostname: string
}

interface Form extends MiddlewareForm {
  readonly middleware: Attaching<this['delivery']>
}

interface Attaching<Attached> {
  readonly delivery: Attached
}

interface Client {
  query(text: string): Promise<void>
}

declare const store: TransactionalDeliveryStore<Client>
declare const webhookHandler: WebhookHandlerFor<Request, 'handler', ForwardErrors>
declare const located: WebhookHandlerFor<Request, 'handler', { readonly url: string }>
declare const webhookMiddleware: WebhookMiddlewareFor<Request, Form, ForwardErrors>

const secret = process.env.WEBHOOK_SECRET
const schemas = { 'message.received': z.object({ text: z.string() }) }

// Schemas, events and the store of the third argument reach the handlers of the second.
webhookHandler(
  secret,
  {
    'message.received': async (delivery, { request, signal, transaction, verification }) => {
      expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
      expectTypeOf(request).toEqualTypeOf<Request>()
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      expectTypeOf(transaction).toEqualTypeOf<Client>()
      expectTypeOf(verification).toEqualTypeOf<Verification>()
    },
    'message.reacted': (delivery) => {
      expectTypeOf(delivery.event).toEqualTypeOf<'message.reacted'>()
    },
    unknown: (delivery) => expectTypeOf(delivery.known).toEqualTypeOf<false>(),
    any: (delivery) => expectTypeOf(delivery.known).toEqualTypeOf<boolean>(),
  },
  {
    extraEvents: ['message.reacted'],
    onError: (_error, { request }) => expectTypeOf(request).toEqualTypeOf<Request>(),
    schemas,
    store,
  },
)

// One function for every event, and a secret function.
webhookHandler(
  (request) => `whsec_${request.hostname}`,
  async (delivery, { transaction }) => {
    expectTypeOf(transaction).toEqualTypeOf<undefined>()
    if (delivery.known && delivery.event === 'message.received') {
      expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
    }
  },
  { schemas, store: memoryStore() },
)
webhookHandler(secret, (delivery) => expectTypeOf(delivery).toEqualTypeOf<Delivery>())

// @ts-expect-error a misspelled event
webhookHandler(secret, { 'message.recieved': async () => {} })
// @ts-expect-error a misspelled option
webhookHandler(secret, { any() {} }, { stor: memoryStore() })
located(secret, { any() {} }, { url: '/webhooks' })
// @ts-expect-error an option of the adapter that is required
located(secret, { any() {} }, {})

// The framework gets the type of the delivery.
expectTypeOf(webhookMiddleware(secret).delivery).toEqualTypeOf<Delivery>()
const { delivery } = webhookMiddleware(secret, { schemas, extraEvents: ['message.reacted'] })
if (delivery.known) {
  expectTypeOf(delivery.event).extract<'message.reacted'>().toEqualTypeOf<'message.reacted'>()
  if (delivery.event === 'message.received') {
    expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
  }
}

// The secret: a string, named strings, or a function of the request.
webhookMiddleware({ current: 'whsec_b', previous: process.env.OLD_SECRET })
webhookMiddleware(async (request) => {
  expectTypeOf(request).toEqualTypeOf<Request>()
  return { tenant: `whsec_${request.hostname}` }
})

// @ts-expect-error a number is not a secret
webhookMiddleware(1)
// @ts-expect-error a misspelled option
webhookMiddleware(secret, { tolerence: 1 })
// @ts-expect-error an option of webhookHandler
webhookMiddleware(secret, { onError() {} })
