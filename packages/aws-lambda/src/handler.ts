import type {
  DeliverySchemas,
  SchemeKind,
  SchemeResponse,
  WebhookHandlerOptions as WebhookOptions,
} from '@webhook-receiver/core'
import {
  type ContractKind,
  type HandlerForm,
  type NoSchemas,
  responseTo,
  type TypedWebhookHandlerFor,
  typedWebhookHandlerOf,
} from '@webhook-receiver/core/adapter'
import { awake, DEADLINE, type DeadlineMargin, type LambdaContext, timeLeft } from './deadline.ts'
import { assertHttpEvent, isHttpEvent, type LambdaEvent, type LambdaResult } from './event.ts'
import { EventIncoming, targetOf } from './incoming.ts'
import { toResult } from './result.ts'

export interface WebhookHandlerOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Transaction = undefined,
  Event extends LambdaEvent = LambdaEvent,
  Kind extends SchemeKind = ContractKind,
> extends WebhookOptions<Schemas, ExtraEvent, Transaction, Event, Kind>,
    DeadlineMargin {}

/**
 * Creates a Lambda function for the HTTP events of API Gateway, Function URLs and load balancers. It verifies each request, runs
 * the handler for the event (once for each delivery, if there is a `store`) and responds: 204 when the work is done, 500 if a
 * handler throws, 503 if the delivery cannot be handled now, or before the timeout of the function.
 *
 * If the event is not an HTTP request, the function rejects with a TypeError, and the invocation fails.
 *
 * @throws TypeError for an invalid secret, handler or option.
 *
 * @example
 * export const handler = webhookHandler(process.env.WEBHOOK_SECRET, {
 *   'message.received': async (delivery) => { … },
 * }, { store })
 */
export const webhookHandler: TypedWebhookHandlerFor<Form, DeadlineMargin> =
  /* @__PURE__ */ typedWebhookHandlerOf<Form, DeadlineMargin>(
    { url: targetOf, uncalled: assertNoEvent },
    DEADLINE,
    ({ receiver, handle }, { deadlineMargin = 0.5 }) => {
      // Two parameters: from Node 24 on, Lambda rejects a function that takes a callback.
      return async function webhookHandler(event, context) {
        assertHttpEvent(event, context)
        return awake(async () => toResult(event, await respond(event, context)))
      }

      async function respond(
        event: LambdaEvent,
        context: LambdaContext | undefined,
      ): Promise<SchemeResponse> {
        try {
          const received = await receiver.receive(new EventIncoming(event))
          const given = { request: event, args: [context] }
          return await handle(received, given, timeLeft(context, deadlineMargin))
        } catch (error) {
          const response = responseTo(error)
          if (response) return response
          throw error
        }
      }
    },
  )

interface Form extends HandlerForm {
  readonly request: LambdaEvent
  readonly context: {
    /** The context of the invocation, the only one of the array. */
    readonly args: readonly [context?: LambdaContext]
  }
  readonly handler: (event: this['request'], context?: LambdaContext) => Promise<LambdaResult>
}

function assertNoEvent(_call: string, argument: unknown): undefined {
  if (!isHttpEvent(argument)) return
  throw new TypeError(
    'webhookHandler was exported without being called: write export const handler = webhookHandler(secret, …).',
  )
}
