import {
  type Attached,
  type AttachedVerification,
  type RequiredDelivery,
  requireAttached,
} from '@webhook-receiver/core/adapter'

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
