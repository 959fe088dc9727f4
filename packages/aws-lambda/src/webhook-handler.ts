import {
  createReceiver,
  type Delivery,
  type DeliverySchemas,
  handlerFailed,
  type NoSchemas,
  printHandlerFailure,
  type ReceiverOptions,
  type SecretSource,
  type Verification,
  WebhookError,
} from '@webhook-receiver/core/adapter'
import { assertHttpEvent, isHttpEvent, type LambdaEvent, type LambdaResult } from './event.ts'
import { receiveEvent } from './incoming.ts'
import { toResult } from './result.ts'

export type WebhookHandlerOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> = ReceiverOptions<Schemas, ExtraEvent>

/** The part of an invocation's context that is used. Without a context there is no time-out. */
export interface LambdaContext {
  getRemainingTimeInMillis?(): number
}

/** The second argument of a handler. */
export interface LambdaExchange<Event extends LambdaEvent = LambdaEvent> {
  readonly event: Event
  /** `undefined` if a test passes no context. */
  readonly context: LambdaContext | undefined
  readonly verification: Verification
}

/**
 * Creates a Lambda function for the HTTP events of API Gateway, Function URLs and load balancers. The answer waits for
 * `handler`: 204 when it is done, and 500 if it throws, so that the service sends the delivery again.
 *
 * If the event is not an HTTP request, the function rejects with a TypeError, and the invocation fails.
 *
 * @throws TypeError for an invalid secret or option.
 *
 * @example
 * export const handler = webhookHandler(process.env.WEBHOOK_SECRET, async (delivery) => { await store(delivery) })
 */
export function webhookHandler<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Event extends LambdaEvent = LambdaEvent,
>(
  secret: SecretSource<Event>,
  handler: (
    delivery: NoInfer<Delivery<Schemas, ExtraEvent>>,
    exchange: LambdaExchange<NoInfer<Event>>,
  ) => void | Promise<void>,
  options: WebhookHandlerOptions<Schemas, ExtraEvent> = {},
): (event: Event, context?: LambdaContext) => Promise<LambdaResult> {
  if (isHttpEvent(secret)) {
    throw new TypeError(
      'webhookHandler was exported without being called: write export const handler = webhookHandler(secret, …).',
    )
  }
  const receiver = createReceiver<Event, Schemas, ExtraEvent>(secret, options)
  if (typeof handler !== 'function') {
    throw new TypeError(
      'The handler should be a function: webhookHandler(secret, async (delivery) => { … }).',
    )
  }

  // Two parameters: from Node 24 on, Lambda refuses a function that takes a callback.
  return async function webhookHandler(event, context) {
    assertHttpEvent(event)
    // Where nothing else is waited for, the runtime takes `null` for the answer, and an HTTP API makes 200 of that.
    const alive = setInterval(() => {}, DAY)
    try {
      return await toResult(event, await answer(event, context))
    } finally {
      clearInterval(alive)
    }
  }

  async function answer(event: Event, context: LambdaContext | undefined): Promise<Response> {
    try {
      const { delivery, verification } = await receiveEvent(receiver, event)
      await run(() => handler(delivery, { event, context, verification }))
      return new Response(null, { status: 204 })
    } catch (error) {
      if (error instanceof WebhookError) return error.getResponse()
      throw error
    }
  }
}

/** In milliseconds. No invocation takes as long. */
const DAY = 86_400_000

async function run(work: () => void | Promise<void>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    const error = handlerFailed(thrown)
    if (error !== thrown) printHandlerFailure(error)
    throw error
  }
}
