import type { RequestListener } from 'node:http'
import type { WebhookEvent } from '@webhook-receiver/core'
import type { DeliverOptions } from '@webhook-receiver/core/testing'
import { deliverTo as deliverToListener } from '@webhook-receiver/node/testing'

export { type DeliverOptions, sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'

/** A Koa application, whatever its state and context. */
interface KoaApplication {
  callback(): RequestListener
}

/**
 * Signs a delivery, posts it to the application on a temporary server, and resolves to the response.
 *
 * @throws TypeError for an invalid argument, or if there is no secret.
 *
 * @example
 * const response = await deliverTo(app, 'message.received', { text: 'hello' })
 */
export async function deliverTo(
  app: KoaApplication,
  event: WebhookEvent | (string & {}),
  data?: Readonly<Record<string, unknown>>,
  options?: DeliverOptions,
): Promise<Response> {
  return deliverToListener(app.callback(), event, data, options)
}
