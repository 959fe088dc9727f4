import {
  assertCalled,
  closesConnection,
  createReceiver,
  type Delivery,
  type DeliverySchemas,
  discardBody,
  type NoSchemas,
  type ReceiverOptions,
  type RequiredDelivery,
  requireAttached,
  type SecretSource,
  type Verification,
  WebhookError,
} from '@webhook-receiver/core/adapter'
import type { Context, HonoRequest, MiddlewareHandler } from 'hono'
import { earlyResponse } from './early-response.ts'
import { runNext } from './handler-failure.ts'
import { HonoIncoming } from './incoming.ts'

export type WebhookMiddlewareOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> = ReceiverOptions<Schemas, ExtraEvent>

/** What the middleware adds to `c.var`. */
export interface WebhookVariables<Attached = Delivery> {
  /** The delivery, verified and parsed. */
  delivery: Attached
  /** How the delivery was verified. */
  verification: Verification
}

/**
 * Verifies each request that reaches it, and sets `c.var.delivery` and `c.var.verification`. `c.req.json()` and similar
 * methods still work after it. If it rejects a request, it throws a WebhookError, and Hono answers with it. If a later
 * handler throws an error, the answer is 500.
 *
 * @throws TypeError for an invalid secret or option.
 *
 * @example
 * app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (c) => {
 *   console.log(c.var.delivery.event)
 *   return c.body(null, 204)
 * })
 */
export function webhookMiddleware<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
>(
  secret: SecretSource<Context>,
  options: WebhookMiddlewareOptions<Schemas, ExtraEvent> = {},
): MiddlewareHandler<{ Variables: WebhookVariables<Delivery<Schemas, ExtraEvent>> }> {
  assertCalled('webhookMiddleware(secret)', secret)
  const receiver = createReceiver<Context, Schemas, ExtraEvent>(secret, options)
  return async function webhookMiddleware(c, next) {
    const incoming = new HonoIncoming(c)
    const received = await receiver
      .receive(incoming)
      .catch((error) => refused(incoming, error, receiver.limit))
    if (!('delivery' in received)) return received
    cache(c.req, received.verification.rawBody)
    c.set('delivery', received.delivery)
    c.set('verification', received.verification)
    await runNext(c, next)
    return undefined
  }
}

/** Reads on in a refused request, so that the sender sees the answer: Hono's, or past some bounds this one. */
async function refused(
  { context: c, node, declared }: HonoIncoming,
  error: unknown,
  limit: number,
): Promise<Response> {
  if (node && error instanceof WebhookError) {
    const answer = await earlyResponse(node, error, declared, limit)
    if (answer) return answer
  } else if (!closesConnection(error) && !(await discardBody(c.req.raw)) && c.env?.incoming) {
    // Otherwise the server reads on by itself, for much longer.
    c.header('Connection', 'close')
  }
  throw error
}

/** Makes `c.req.json()` and similar methods work after the middleware. Each call gets a copy. */
function cache(req: HonoRequest, bytes: Uint8Array): void {
  Object.defineProperty(Object.assign(req.bodyCache, { [BYTES]: bytes }), 'arrayBuffer', COPY)
}

const BYTES = Symbol('bytes')

/** One getter for all: V8 makes a shape for each that it has not seen, and keeps it with all it holds. */
const COPY: PropertyDescriptor & ThisType<{ readonly [BYTES]: Uint8Array }> = {
  configurable: true,
  enumerable: true,
  get() {
    return Promise.resolve(this[BYTES].slice().buffer)
  },
}

/**
 * Returns the delivery of a context, for handlers in whose types it may be `undefined`.
 *
 * @throws WebhookError `delivery_missing` (500) if no webhookMiddleware ran before.
 */
export function requireDelivery<Attached>(c: {
  readonly var: { readonly delivery?: Attached }
  readonly req?: { readonly method: string; readonly path: string }
}): RequiredDelivery<Attached> {
  return requireAttached(c.var.delivery, { method: c.req?.method, url: c.req?.path })
}
