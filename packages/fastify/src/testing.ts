import type { OutgoingHttpHeaders } from 'node:http'
import type { WebhookEvent } from '@webhook-receiver/core'
import { type DeliverOptions, prepareDelivery } from '@webhook-receiver/core/testing'
import { toResponse } from '@webhook-receiver/node/testing'

export { type DeliverOptions, sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'

/** A Fastify application, whatever its server, logger and type provider. */
interface FastifyApplication {
  inject(request: InjectedRequest): Promise<InjectedResponse>
}

interface InjectedRequest {
  readonly method: 'POST'
  readonly url: string
  readonly headers: Record<string, string>
  readonly payload: Buffer
}

interface InjectedResponse {
  readonly statusCode: number
  readonly headers: OutgoingHttpHeaders
  readonly rawPayload: Buffer
}

/**
 * Signs a delivery, passes it to the application with `inject`, and resolves to the response. It calls `ready()` first, and
 * does not close the application.
 *
 * @throws TypeError for an invalid argument, or if there is no secret.
 *
 * @example
 * const response = await deliverTo(app, 'message.received', { text: 'hello' })
 */
export async function deliverTo(
  app: FastifyApplication,
  event: WebhookEvent | (string & {}),
  data?: Readonly<Record<string, unknown>>,
  options?: DeliverOptions,
): Promise<Response> {
  const { path, headers, body } = await prepareDelivery(event, data, options)
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: { ...headers },
    payload: Buffer.from(body),
  })
  return toResponse(response.statusCode, response.headers, new Uint8Array(response.rawPayload))
}
