import type { WebhookEvent } from '@webhook-receiver/core'
import { type DeliverOptions, prepareDelivery } from '@webhook-receiver/core/testing'
import { type InvokeOptions, invoke, type LambdaFunction } from './event-listener.ts'

export { type DeliverOptions, sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
export { eventListener } from './event-listener.ts'
export { toEvent } from './to-event.ts'

/** The options of `deliverTo` of every adapter, and how the function is invoked. */
interface LambdaDeliverOptions extends DeliverOptions, InvokeOptions {}

/**
 * Signs a delivery, invokes the function with its event, and resolves to the response.
 *
 * @throws TypeError for an invalid argument, or if there is no secret.
 *
 * @example
 * const response = await deliverTo(handler, 'message.received', { text: 'hello' })
 */
export async function deliverTo(
  handler: LambdaFunction,
  event: WebhookEvent | (string & {}),
  data?: Readonly<Record<string, unknown>>,
  { form, base64, timeout, ...options }: LambdaDeliverOptions = {},
): Promise<Response> {
  const { path, headers, body } = await prepareDelivery(event, data, options)
  const request = { method: 'POST', path, headers: Object.entries(headers), body }
  const result = await invoke(handler, request, { form, base64, timeout })
  const { statusCode: status, multiValueHeaders } = result
  const all = new Headers(result.headers)
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) {
    for (const value of values) all.append(name, value)
  }
  return new Response(result.body || null, { status, headers: all })
}
