import {
  assertCalled,
  closesConnection,
  createReceiver,
  type Delivery,
  type DeliverySchemas,
  discardBody,
  type NoSchemas,
  type ReceiverOptions,
  Refusal,
  type RequiredDelivery,
  readBody,
  readStream,
  requireAttached,
  type SecretSource,
  type Verification,
  WebhookError,
} from '@webhook-receiver/core/adapter'
import type { Context, HonoRequest, MiddlewareHandler } from 'hono'
import { earlyResponse } from './early-response.ts'
import { runNext } from './handler-failure.ts'
import { type NodeIncoming, untouchedIncoming } from './incoming.ts'

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
 * Verifies the deliveries that reach it and sets `c.var.delivery` and `c.var.verification`; `c.req.json()`
 * and its like still work behind it. Everything else that reaches it is refused: it throws a
 * WebhookError, which Hono answers. Whatever a handler behind it throws is answered 500.
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
    const { req } = c
    const incoming = untouchedIncoming(c.env)
    const received = await receiver
      .receive({
        method: req.method,
        header: (name) => req.header(name),
        readBody: (limit, timeout) => bodyOf(req, incoming, limit, timeout),
        context: c,
        remote: () => ({ url: req.path, userAgent: req.header('user-agent') }),
      })
      .catch((error) => refused(c, incoming, error, receiver.limit))
    if (!('delivery' in received)) return received
    cache(req, received.verification.rawBody)
    c.set('delivery', received.delivery)
    c.set('verification', received.verification)
    await runNext(c, next)
    return undefined
  }
}

/** The body's bytes, also behind a validator that asked for them as such. */
async function bodyOf(
  req: HonoRequest,
  incoming: NodeIncoming | undefined,
  limit: number,
  timeout: number,
): Promise<Uint8Array> {
  const { bodyCache } = req
  if (bodyCache.arrayBuffer) return new Uint8Array(await bodyCache.arrayBuffer)
  const [form] = Object.keys(bodyCache)
  if (form !== undefined) {
    throw new Refusal('body_already_read', {
      by: `as ${form} by a validator or another middleware in front, and what Hono keeps of that is not what was signed`,
      advice: ADVICE,
    })
  }
  const declared = Number(req.header('content-length'))
  // The web stream that node-server makes of it costs more than all else together.
  if (incoming) return readStream(incoming, { limit, timeout, declared })
  const bytes = await readBody(req.raw, limit, timeout)
  // Where something has read Node's own stream, the Request is no wiser, and its body empty.
  if (bytes.length === 0 && declared > 0) {
    throw new Refusal('body_already_read', { by: 'before the receiver got it', advice: ADVICE })
  }
  return bytes
}

const ADVICE = 'Mount webhookMiddleware before it.'

/** Reads on in a refused request, so that the sender sees the answer: Hono's, or past some bounds this one. */
async function refused(
  c: Context,
  incoming: NodeIncoming | undefined,
  error: unknown,
  limit: number,
): Promise<Response> {
  if (incoming && error instanceof WebhookError) {
    const declared = Number(c.req.header('content-length') ?? 0)
    const answer = await earlyResponse(incoming, error, declared, limit)
    if (answer) return answer
  } else if (!closesConnection(error) && !(await discardBody(c.req.raw)) && c.env?.incoming) {
    // Otherwise the server reads on by itself, for much longer.
    c.header('Connection', 'close')
  }
  throw error
}

/** Lets `c.req.json()` and its like work behind the middleware. Whoever asks gets a copy. */
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
 * The delivery of a context, for handlers whose types can only say "maybe".
 *
 * @throws WebhookError `delivery_missing` (500) where no webhookMiddleware ran in front.
 */
export function requireDelivery<Attached>(c: {
  readonly var: { readonly delivery?: Attached }
  readonly req?: { readonly method: string; readonly path: string }
}): RequiredDelivery<Attached> {
  return requireAttached(c.var.delivery, { method: c.req?.method, url: c.req?.path })
}
