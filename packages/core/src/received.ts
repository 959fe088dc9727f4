import type { Delivery } from './delivery.ts'
import { WebhookError } from './errors.ts'

/** A delivery that is there: what was attached, or any delivery where the types do not say. */
export type RequiredDelivery<Attached> = unknown extends Attached ? Delivery : NonNullable<Attached>

/**
 * The delivery that a middleware attached, for places where a framework's types say "maybe".
 *
 * @throws WebhookError `delivery_missing` (500) where no receiver ran in front.
 */
export function requireReceived<Attached>(
  delivery: Attached | null | undefined,
): RequiredDelivery<Attached> {
  // The caller's word for what a middleware attached.
  if (delivery !== null && delivery !== undefined) return delivery as RequiredDelivery<Attached>
  throw new WebhookError(
    'delivery_missing',
    'No delivery is attached to this request: no receiver is mounted in front of this handler, or its `path` option ' +
      'does not cover this route. The handler must not run for it.',
  )
}
