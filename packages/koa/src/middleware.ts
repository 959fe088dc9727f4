import {
  assertCalled,
  attach,
  createReceiver,
  type Delivery,
  type DeliverySchemas,
  type NoSchemas,
  type Received,
  type ReceiverOptions,
  type RequiredDelivery,
  requireAttached,
  type SecretSource,
  type Verification,
  WebhookError,
} from '@webhook-receiver/core/adapter'
import { type Framework, incomingReceiver, pathMatcher } from '@webhook-receiver/node'
import type { Context, Middleware } from 'koa'
import { toHandlerError } from './handler-failure.ts'

export interface WebhookMiddlewareOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> extends ReceiverOptions<Schemas, ExtraEvent> {
  /**
   * The path of the deliveries, including its sub-paths. Requests to other paths pass unverified.
   * @default every path that reaches the middleware
   */
  readonly path?: string | undefined
}

/** What the middleware adds to `ctx.state`. */
export interface WebhookState<Attached = Delivery> {
  /** The delivery, verified and parsed. */
  readonly delivery: Attached
  /** How the delivery was verified. */
  readonly verification: Attached extends undefined ? undefined : Verification
}

/**
 * Verifies each request that reaches it, and sets `ctx.state.delivery` and `ctx.state.verification`. If it rejects a
 * request, it throws a WebhookError, and Koa answers with it. If a later middleware throws, it throws a WebhookError
 * `handler_failed` (500) with the thrown value as its `cause`.
 *
 * @throws TypeError for an invalid secret or option.
 *
 * @example
 * router.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (ctx) => {
 *   console.log(ctx.state.delivery.event)
 *   ctx.status = 204
 * })
 */
export function webhookMiddleware<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  const Path extends string | undefined = undefined,
>(
  secret: SecretSource<Context>,
  {
    path,
    ...options
  }: WebhookMiddlewareOptions<Schemas, ExtraEvent> & { readonly path?: Path } = {},
): Middleware<
  WebhookState<Delivery<Schemas, ExtraEvent> | ([Path] extends [undefined] ? never : undefined)>
> {
  assertCalled('webhookMiddleware(secret)', secret)
  const receiver = createReceiver<Context, Schemas, ExtraEvent>(secret, options)
  const receive = incomingReceiver(receiver, KOA)
  const covers = path === undefined ? undefined : pathMatcher(path)
  return async function webhookMiddleware(ctx, next) {
    if (covers && !covers([ctx.url, ctx.originalUrl], () => routedPaths(ctx))) return next()
    let received: Received<Delivery<Schemas, ExtraEvent>> | undefined
    try {
      received = await receive(ctx.req, ctx.res, ctx, () => {
        ctx.respond = false
      })
    } catch (error) {
      throw quiet(error)
    }
    if (!received) return
    attach(ctx.state, received)
    try {
      return await next()
    } catch (thrown) {
      throw toHandlerError(ctx, thrown)
    }
  }
}

/**
 * Koa prints the stack of each error that it does not expose, and anybody can cause those of a secret function that
 * fails, as for a tenant that is not there. `onRejected` has told the operator, and the message is the code in words.
 */
function quiet(error: unknown): unknown {
  return error instanceof WebhookError
    ? Object.defineProperty(error, 'expose', { value: true })
    : error
}

/** The paths that Koa and its routers read: `ctx.path`, the same of the target before any mount, and what a router was told. */
function routedPaths(ctx: Context): readonly unknown[] {
  return [
    ctx.path,
    Reflect.get(ctx.request, 'path', { req: { url: ctx.originalUrl } }),
    ctx.routerPath,
    ctx.newRouterPath,
  ]
}

const KOA: Framework<Context> = {
  holder: (ctx) => ctx.request,
  address: (ctx) => ctx.ip,
  middleware: (ctx) => ctx.app.middleware.map(({ name }) => name),
  advice: 'Mount webhookMiddleware before koa-bodyparser, koa-body and other body parsers.',
}

/**
 * Returns the delivery of a context, for handlers in whose types it may be `undefined`.
 *
 * @throws WebhookError `delivery_missing` (500) if no webhookMiddleware ran before.
 */
export function requireDelivery<Attached>(ctx: {
  readonly state: { readonly delivery?: Attached }
  readonly method?: string
  readonly originalUrl?: string
}): RequiredDelivery<Attached> {
  return requireAttached(ctx.state.delivery, { method: ctx.method, url: ctx.originalUrl })
}
