import {
  type Attached,
  type AttachedVerification,
  assertCalled,
  attach,
  createReceiver,
  type Delivery,
  type DeliverySchemas,
  type NoSchemas,
  type ReceiverOptions,
  type RequiredDelivery,
  requireAttached,
  type SecretSource,
} from '@webhook-receiver/core/adapter'
import { type Framework, incomingReceiver, pathMatcher } from '@webhook-receiver/node'
import type { Request, RequestHandler } from 'express'
import { passError } from './error-path.ts'
import { guardHandlers } from './handler-guard.ts'
import { layersOf, routerOf } from './router-stack.ts'

export interface WebhookMiddlewareOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> extends ReceiverOptions<Schemas, ExtraEvent> {
  /**
   * The path of the deliveries, including its sub-paths, for a middleware that is mounted at the root. Requests to other
   * paths pass unverified.
   * @default every path that reaches the middleware
   */
  readonly path?: string | undefined
}

/**
 * Verifies each request that reaches it, and sets `req.delivery`, `req.verification` and `req.body`. If it rejects a request,
 * it calls `next(error)` if the application has an error handler, and otherwise answers. If a later handler throws, it does
 * the same with the reason `handler_failed` (500).
 *
 * @throws TypeError for an invalid secret or option.
 *
 * @example
 * app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (req, res) => {
 *   console.log(req.delivery.event)
 *   res.sendStatus(204)
 * })
 */
export function webhookMiddleware<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  const Path extends string | undefined = undefined,
>(
  secret: SecretSource<Request>,
  {
    path,
    ...options
  }: WebhookMiddlewareOptions<Schemas, ExtraEvent> & { readonly path?: Path } & NoRequest = {},
): RequestHandler<
  Request['params'],
  unknown,
  [Path] extends [undefined] ? Delivery<Schemas, ExtraEvent> : Request['body']
> {
  assertCalled('webhookMiddleware(secret)', secret)
  const receiver = createReceiver<Request, Schemas, ExtraEvent>(secret, options)
  const receive = incomingReceiver(receiver, EXPRESS)
  const covers = path === undefined ? undefined : pathMatcher(path)
  const middleware: RequestHandler = function webhookMiddleware(req, res, next) {
    if (covers && !covers([req.url, req.originalUrl], () => routedPaths(req))) return next()
    receive(req, res, req).then(
      (received) => {
        if (!received) return
        attach(req, received)
        req.body = received.delivery
        guardHandlers(req)
        next()
      },
      (error) => passError(error, req, res, next),
    )
  }
  // It takes any body, and what it leaves behind is the delivery.
  return middleware as ReturnType<typeof webhookMiddleware<Schemas, ExtraEvent, Path>>
}

/** The paths that Express and its routers read: `req.path`, and the same of the target before any mount. */
function routedPaths(req: Request): readonly unknown[] {
  return [req.path, Reflect.get(req, 'path', { url: req.originalUrl })]
}

/** Keeps the compiler from taking `app.post('/webhooks', webhookMiddleware)`: a request has a `path` too. */
interface NoRequest {
  readonly method?: 'webhookMiddleware was not called: write webhookMiddleware(secret)'
}

const EXPRESS: Framework<Request> = {
  address: (req) => req.ip,
  middleware: middlewareNames,
  advice:
    'Mount webhookMiddleware before express.json() and other body parsers, or let express.json() keep the bytes: ' +
    'express.json({ verify: captureRawBody }).',
}

/** The names of the middlewares in front: the application's and the route's. */
function middlewareNames(req: Request): readonly string[] {
  return [routerOf(req.app), req.route].flatMap(layersOf).map(({ name }) => name ?? '')
}

/**
 * Returns the delivery of a request, for handlers in whose types it may be `undefined`.
 *
 * @throws WebhookError `delivery_missing` (500) if no webhookMiddleware ran before.
 */
export function requireDelivery<Attached>(req: {
  readonly delivery?: Attached
  readonly method?: string
  readonly originalUrl?: string
}): RequiredDelivery<Attached> {
  return requireAttached(req.delivery, { method: req.method, url: req.originalUrl })
}

declare global {
  namespace Express {
    interface Request {
      /** The delivery, verified and parsed; `undefined` if no webhookMiddleware ran before. */
      readonly delivery: Attached<this>
      /** How the delivery was verified; `undefined` if `delivery` is. */
      readonly verification: AttachedVerification<this>
    }
  }
}
