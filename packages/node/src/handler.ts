import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  DeliverySchemas,
  Received,
  SchemeKind,
  WebhookHandlerOptions,
} from '@webhook-receiver/core'
import {
  type ContractKind,
  closeAfterResponse,
  type NoSchemas,
  printError,
  responseTo,
  type WebhookHandlerFor,
  webhookHandlerOf,
  withoutOrigin,
} from '@webhook-receiver/core/adapter'
import { type Framework, NodeIncoming } from './incoming.ts'
import { PATH } from './path.ts'
import { respond, respondedEarly } from './response.ts'

/** The options of `webhookHandler`, and the path of the deliveries. */
export interface NodeHandlerOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
> extends WebhookHandlerOptions<Schemas, ExtraEvent, Transaction, IncomingMessage, Kind>,
    OwnOptions {}

const NODE: Framework<IncomingMessage & { readonly originalUrl?: unknown }> = {
  // Where Connect or Polka has cut off the path at which it is mounted.
  url: ({ url, originalUrl }) => (typeof originalUrl === 'string' ? originalUrl : url),
  advice:
    'Pass the request to webhookHandler before anything reads it. In pages/api of Next.js, export const config = { api: { bodyParser: false } }.',
}

/** A `RequestListener`. Its promise resolves when the response was sent, and rejects only for what is not a request of Node. */
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
export const webhookHandler: WebhookHandlerFor<IncomingMessage, NodeHandler, OwnOptions> =
  /* @__PURE__ */ webhookHandlerOf<IncomingMessage, NodeHandler, OwnOptions>(
    NODE,
    { path: PATH },
    ({ receiver, handle }, { path }) => {
      return async function webhookHandler(req, res) {
        // Otherwise it would seem to have no headers, and the reason would be a missing signature.
        if (typeof req?.on !== 'function') {
          throw new TypeError(
            'webhookHandler of @webhook-receiver/node was called without a request of node:http: for a Request, import it from @webhook-receiver/core.',
          )
        }
        if (path !== undefined && withoutOrigin(req.url ?? '').split('?', 1)[0] !== path) {
          closeAfterResponse(req)
          return respond(res, { status: 404 })
        }
        // One `try` for both, and no `catch` of the first promise: that would be one promise more for each request.
        let received: Received<unknown> | undefined
        try {
          received = await receiver.receive(new NodeIncoming(req, res, req, NODE))
          respond(res, await handle(received, { request: req }))
        } catch (error) {
          await respondTo(error, req, res, !received)
        }
      }

      /** The response to what was thrown, by the receiver if the request is `unread`. Nobody waits for it, and a rejection would end the process. */
      async function respondTo(
        thrown: unknown,
        req: IncomingMessage,
        res: ServerResponse,
        unread: boolean,
      ): Promise<void> {
        try {
          if (unread && (await respondedEarly({ req, res }, thrown, receiver.limit))) return
          const response = responseTo(thrown)
          if (!response) throw thrown
          respond(res, response)
        } catch (error) {
          printError('[webhook-receiver] The receiver failed. The status is 500.', error)
          respond(res, { status: 500 })
        }
      }
    },
  )

interface OwnOptions {
  /**
   * The path of the deliveries, exactly as requested, without a query. Every other path gets status 404. Anything but a string
   * that begins with a slash is a TypeError.
   * @default every path
   */
  readonly path?: string | undefined
}
