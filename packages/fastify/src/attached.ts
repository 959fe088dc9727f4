import type { Delivery, DeliverySchemas } from '@webhook-receiver/core'
import {
  type Attached,
  type AttachedVerification,
  type NoSchemas,
  type RequiredDelivery,
  requireAttached,
} from '@webhook-receiver/core/adapter'

/**
 * The type of `request.delivery` and `request.body`: `app.post<WebhookRoute<typeof schemas>>(…)`. The compiler cannot see
 * whether the middleware has these schemas, and only the middleware checks the content.
 */
export interface WebhookRoute<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> {
  readonly Body: Delivery<Schemas, ExtraEvent>
}

/**
 * Returns the delivery of a request, for handlers in whose types it may be `undefined`.
 *
 * @throws WebhookError `delivery_missing` (500) if no webhookMiddleware protects the route.
 */
export function requireDelivery<Attached>(request: {
  readonly delivery?: Attached
  readonly method?: string
  readonly url?: string
}): RequiredDelivery<Attached> {
  return requireAttached(request.delivery, { method: request.method, url: request.url })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The delivery, verified and parsed; `undefined` if no webhookMiddleware protects the route. */
    readonly delivery: Attached<this>
    /** How the delivery was verified; `undefined` if `delivery` is. */
    readonly verification: AttachedVerification<this>
  }
}
