import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  assertCalled,
  closeAfterAnswer,
  createReceiver,
  type Delivery,
  type DeliverySchemas,
  handlerFailed,
  type NoSchemas,
  printHandlerFailure,
  type Received,
  type ReceiverOptions,
  type SecretSource,
  type Verification,
  WebhookError,
} from '@webhook-receiver/core/adapter'
import { answer, cutShort, refuse } from './answer.ts'
import { incomingReceiver } from './exchange.ts'
import { pathMatcher } from './path.ts'

export interface ListenerOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> extends ReceiverOptions<Schemas, ExtraEvent> {
  /**
   * The path of the deliveries, including its sub-paths. Every other path is answered 404.
   * @default every path
   */
  readonly path?: string | undefined
}

/** The second argument of a listener's handler. */
export interface ListenerExchange {
  readonly req: IncomingMessage
  /** For an answer of your own. If the handler sends none, the answer is 204. */
  readonly res: ServerResponse
  readonly verification: Verification
}

/**
 * A `RequestListener`. Its promise resolves when the request is answered, and never rejects. Some frameworks that call Node
 * listeners wait for it before they answer themselves.
 */
export type WebhookListener = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/**
 * Creates a listener for a plain node:http server. The answer waits for `handler`: 204 when it is done, and 500 if it
 * throws, so that the service sends the delivery again.
 *
 * @throws TypeError for an invalid secret or option.
 *
 * @example
 * createServer(webhookListener(secret, async (delivery) => { await store(delivery) })).listen(3000)
 */
export function webhookListener<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
>(
  secret: SecretSource<IncomingMessage>,
  handler: (
    delivery: NoInfer<Delivery<Schemas, ExtraEvent>>,
    exchange: ListenerExchange,
  ) => void | Promise<void>,
  options: ListenerOptions<Schemas, ExtraEvent> = {},
): WebhookListener {
  assertCalled('webhookListener(secret, handler)', secret)
  const { path, ...receiverOptions } = options
  const receiver = createReceiver<IncomingMessage, Schemas, ExtraEvent>(secret, receiverOptions)
  const receive = incomingReceiver(receiver, FRAMEWORK)
  const covers = path === undefined ? () => true : pathMatcher(path)
  if (typeof handler !== 'function') {
    throw new TypeError(
      'The handler should be a function: webhookListener(secret, (delivery) => { … }).',
    )
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!covers([req.url])) {
      closeAfterAnswer(req)
      return answer(res, 404)
    }
    let received: Received<Delivery<Schemas, ExtraEvent>> | undefined
    try {
      received = await receive(req, res, req)
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      return refuse(res, error)
    }
    if (!received) return
    const { delivery, verification } = received
    await handler(delivery, { req, res, verification })
    if (!res.writableEnded) answer(res, 204)
  }

  return function webhookListener(req, res) {
    return serve(req, res).catch((thrown) => {
      printHandlerFailure(handlerFailed(thrown), res.headersSent)
      if (res.headersSent) cutShort(res)
      else answer(res, 500)
    })
  }
}

const FRAMEWORK = { advice: 'Pass the request to the listener before anything reads it.' }
