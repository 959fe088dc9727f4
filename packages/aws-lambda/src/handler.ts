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
import { numberRule, optional } from '@webhook-receiver/core/internal'
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
    OwnOptions {}

/** The part of an invocation's context that is used. Without a context there is no timeout. */
export interface LambdaContext {
  getRemainingTimeInMillis?(): number
}

const MARGIN = optional(numberRule({ unit: 'seconds', from: 0 }))

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
export const webhookHandler: TypedWebhookHandlerFor<Form, OwnOptions> =
  /* @__PURE__ */ typedWebhookHandlerOf<Form, OwnOptions>(
    { url: targetOf, uncalled: assertNoEvent },
    { deadlineMargin: MARGIN },
    ({ receiver, handle }, { deadlineMargin = 0.5 }) => {
      // Two parameters: from Node 24 on, Lambda rejects a function that takes a callback.
      return async function webhookHandler(event, context) {
        assertHttpEvent(event)
        // Where nothing else is waited for, the runtime takes `null` for the result, and an HTTP API makes 200 of that.
        const alive = setInterval(() => {}, DAY)
        try {
          return toResult(event, await respond(event, context))
        } finally {
          clearInterval(alive)
        }
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

interface OwnOptions {
  /**
   * How long before the timeout of the function the status is 503 if the handler is still running, in seconds. If `timeout`
   * ends earlier, it is used. Anything but a number from 0 is a TypeError.
   * @default 0.5
   */
  readonly deadlineMargin?: number | undefined
}

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

/** In milliseconds. No invocation takes as long. */
const DAY = 86_400_000

/** In seconds. */
function timeLeft(context: LambdaContext | undefined, margin: number): number | undefined {
  const milliseconds = context?.getRemainingTimeInMillis?.()
  return milliseconds === undefined ? undefined : Math.max(milliseconds / 1000 - margin, 0)
}
