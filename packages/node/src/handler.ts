import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  DeliverySchemas,
  SchemeKind,
  SecretSource,
  WebhookContext,
  WebhookHandlerOptions,
} from '@webhook-receiver/core'
import {
  assertCalled,
  type ContractKind,
  checkValue,
  closeAfterResponse,
  createWebhookHandling,
  type DuplicatesRequired,
  type NoSchemas,
  printError,
  responseTo,
  type WebhookHandlers,
} from '@webhook-receiver/core/adapter'
import { type Framework, incomingReceiver } from './incoming.ts'
import { PATH } from './path.ts'
import { respond } from './response.ts'

/** The options of `webhookHandler`, and the path of the deliveries. */
export interface NodeHandlerOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
> extends WebhookHandlerOptions<Schemas, ExtraEvent, Transaction, IncomingMessage, Kind> {
  /**
   * The path of the deliveries, exactly as requested, without a query. Every other path gets status 404. Anything but a string
   * that begins with a slash is a TypeError.
   * @default every path
   */
  readonly path?: string | undefined
}

/** A `RequestListener`. Its promise resolves when the response was sent, and never rejects. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/**
 * Creates a listener for a plain node:http server. It verifies each request, runs the handler for the event (once for each
 * delivery, if there is a `store`) and responds: 204 when the work is done, 500 if a handler throws, 503 if the delivery
 * cannot be handled now.
 *
 * @throws TypeError for an invalid secret, handler or option.
 *
 * @example
 * createServer(webhookHandler(process.env.WEBHOOK_SECRET, {
 *   'message.received': async (delivery) => { … },
 * }, { path: '/webhooks', store })).listen(3000)
 */
export function webhookHandler<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
>(
  secret: SecretSource<IncomingMessage>,
  handlers: WebhookHandlers<
    NoInfer<Schemas>,
    NoInfer<ExtraEvent>,
    WebhookContext<IncomingMessage, NoInfer<Transaction>>,
    NoInfer<Kind>
  >,
  options?: NodeHandlerOptions<Schemas, ExtraEvent, Transaction, Kind> &
    DuplicatesRequired<NoInfer<Kind>>,
): NodeHandler {
  assertCalled('webhookHandler(secret, handlers)', secret)
  const { receiver, handle } = createWebhookHandling<IncomingMessage, Schemas, ExtraEvent, Kind>(
    secret,
    handlers,
    options,
    { url: (req: IncomingMessage) => req.url, ownOptions: ['path'] },
  )
  const path = checkValue('path', options?.path, PATH)
  const receive = incomingReceiver(receiver, NODE)

  return async function webhookHandler(req, res) {
    if (path !== undefined && req.url?.split('?', 1)[0] !== path) {
      closeAfterResponse(req)
      return respond(res, { status: 404 })
    }
    try {
      const received = await receive(req, res, req)
      if (!received) return
      respond(res, await handle(received, { request: req }))
    } catch (error) {
      const response = responseTo(error)
      if (response) return respond(res, response)
      // Nobody waits for the promise, and a rejection would end the process.
      printError('[webhook-receiver] The receiver failed. The status is 500.', error)
      respond(res, { status: 500 })
    }
  }
}

const NODE: Framework<IncomingMessage> = {
  advice: 'Pass the request to webhookHandler before anything reads it.',
}
