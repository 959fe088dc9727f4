import type { Delivery, Verification } from '@webhook-receiver/core'
import { type RequiredDelivery, requireAttached } from '@webhook-receiver/core/adapter'

/** What the middleware adds to `ctx.state`. */
export interface WebhookState<Attached = Delivery> {
  /** The delivery, verified and parsed. */
  readonly delivery: Attached
  /** How the delivery was verified. */
  readonly verification: Verification
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
