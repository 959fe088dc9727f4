import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { WebhookEvent } from '@webhook-receiver/core'
import { type DeliverOptions, deliverTo as deliverToListener } from '@webhook-receiver/node/testing'

export { type DeliverOptions, sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'

/** An application of Nest, on either platform. */
interface NestApplication {
  init(): Promise<unknown>
  getHttpServer(): Server
  getHttpAdapter(): { getInstance(): { ready?(): PromiseLike<unknown> } }
}

/**
 * Signs a delivery, posts it to the application on a temporary server, and resolves to the response. It calls `init()` first, and does not
 * close the application.
 *
 * @throws TypeError for an invalid argument, or if there is no secret.
 *
 * @example
 * const response = await deliverTo(app, 'message.received', { text: 'hello' })
 */
export async function deliverTo(
  app: NestApplication,
  event: WebhookEvent | (string & {}),
  data?: Readonly<Record<string, unknown>>,
  options?: DeliverOptions,
): Promise<Response> {
  await app.init()
  await app.getHttpAdapter().getInstance().ready?.()
  const server = app.getHttpServer()
  const listener: RequestListener = (req: IncomingMessage, res: ServerResponse) =>
    server.emit('request', req, res)
  return deliverToListener(listener, event, data, options)
}
