import type { Delivery, Verification } from '@webhook-receiver/core'
import { type RequiredDelivery, requireAttached } from '@webhook-receiver/core/adapter'

/** What the middleware adds to `c.var`. */
export interface WebhookVariables<Attached = Delivery> {
  /** The delivery, verified and parsed. */
  delivery: Attached
  /** How the delivery was verified. */
  verification: Verification
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
