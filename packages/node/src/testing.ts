import type { RequestListener } from 'node:http'
import type { WebhookEvent } from '@webhook-receiver/core'
import { type DeliverOptions, prepareDelivery } from '@webhook-receiver/core/testing'
import { postTo } from './post.ts'

export { type DeliverOptions, sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
export { toResponse } from './to-response.ts'

/**
 * Signs a delivery, posts it to a listener on a temporary server, and resolves to the response.
 *
 * @throws TypeError for an invalid argument, or if there is no secret.
 *
 * @example
 * const response = await deliverTo(listener, 'message.received', { text: 'hello' })
 */
export async function deliverTo(
  listener: RequestListener,
  event: WebhookEvent | (string & {}),
  data?: Readonly<Record<string, unknown>>,
  options?: DeliverOptions,
): Promise<Response> {
  if (typeof listener !== 'function') {
    throw new TypeError('The application should be a function of a request and a response.')
  }
  return postTo(listener, await prepareDelivery(event, data, options))
}
