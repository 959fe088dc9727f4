import type { ContractKind } from './contract/event.ts'
import type { DeliveryFor } from './delivery.ts'
import { deliveryHandlerWith } from './delivery-handling.ts'
import type { DeliveryWork, HandlerContext, HandlersFor } from './handling/handlers.ts'
import { duplicatesFor } from './handling/keeping.ts'
import { HANDLING, HANDLING_EXAMPLE, type HandlingValues } from './handling/option-rules.ts'
import type { HandlingOptions } from './handling/options.ts'
import { replyBehind, replyOf } from './handling/reply.ts'
import { defaultAbandonAfter, handlingSettings } from './handling/settings.ts'
import { isHandlingError } from './handling/steps.ts'
import { runHookInTime } from './hooks.ts'
import { RECEIVER_OPTIONS, type ReceiverValues } from './option-rules.ts'
import type { ReceiverOptions } from './options.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import { type AdapterReceiver, receiverWith } from './receiver.ts'
import {
  failureLine,
  handlerFailed,
  printHandlerFailure,
  readable,
} from './reject/handler-failure.ts'
import type { WebhookError } from './reject/webhook-error.ts'
import { taken } from './request/attached.ts'
import { receiverSettings } from './settings.ts'
import { checkDeliveryKey } from './store/key.ts'
import { checkFormOptions, type OwnRules, type TableOf } from './validate/check-options.ts'
import type { SchemeResponse } from './validate/response.ts'
import { hookRule } from './validate/rule.ts'
import type { Received, Verification } from './verification.ts'
import type { ParsedDelivery, SchemeKind } from './verify/scheme.ts'
import type { SecretSource } from './verify/secret.ts'

/** The second argument of a handler in a `webhookHandler`. */
export interface WebhookContext<Request, Transaction = undefined>
  extends HandlerContext<Transaction> {
  /** The framework's own request or context. */
  readonly request: Request
  readonly verification: Verification
}

/** The handlers of a `webhookHandler`: one function for every event, or functions by event. */
export type WebhookHandlers<
  Schemas extends DeliverySchemas,
  ExtraEvent extends string,
  Context,
  Kind extends SchemeKind = ContractKind,
> =
  | HandlersFor<Kind, Schemas, ExtraEvent, Context>
  | DeliveryWork<DeliveryFor<Kind, Schemas, ExtraEvent>, Context>

/** Called with what a handler threw. */
type ErrorHook<Request, Kind extends SchemeKind = ContractKind> = (
  error: unknown,
  failed: { readonly delivery: DeliveryFor<Kind>; readonly request: Request },
) => unknown

/** The options of every `webhookHandler`. Each is checked once, when the handler is created. */
export interface WebhookHandlerOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Transaction = undefined,
  Request = unknown,
  Kind extends SchemeKind = ContractKind,
> extends ReceiverOptions<Schemas, ExtraEvent, Kind, Request>,
    Omit<HandlingOptions<ExtraEvent, Transaction, Kind>, keyof ReceiverOptions> {
  /**
   * Called with the error if a handler throws; the status is 500. The response waits for it, up to `callbackTimeout`. If the
   * hook throws an error itself, the response does not change. Anything but a function is a TypeError.
   * @default the framework's logger, or standard error, with the stack and `code` of the error and its causes
   * @example { onError: (error, { delivery }) => report(error, delivery.id) }
   */
  readonly onError?: ErrorHook<Request, Kind> | undefined
}

/** What an adapter says for its `webhookHandler`. */
export interface HandlingAdapter<Own = object> {
  /** The path and query as requested, for the line of a failed handler. */
  readonly url?: ((request: never) => string | undefined) | undefined
  /**
   * The default `onError`, which also gets the line to log and the options of the adapter.
   * @default prints to standard error
   */
  readonly report?:
    | ((...failure: [...Parameters<ErrorHook<never>>, line: string, own: Own]) => void)
    | undefined
  /** The rule of each option that only this adapter has. */
  readonly rules?: OwnRules<Own> | undefined
}

/** What an adapter needs for its `webhookHandler`. */
export interface WebhookHandling<Attached, Context, Own = unknown> {
  readonly receiver: AdapterReceiver<Attached, Context>
  /** The options that only the adapter has. */
  readonly own: Own
  /** The response to a delivery that was handled. */
  readonly success: SchemeResponse
  /**
   * Runs the handler of a verified delivery, which it takes out of `received`. Resolves to the response when the delivery can
   * be acknowledged. `context` gets `signal` and `transaction` besides.
   *
   * @throws WebhookError to respond with; nothing else.
   */
  handle(
    received: Received<Attached>,
    context: { readonly request: unknown; readonly args?: readonly unknown[] },
    timeLeft?: number,
  ): Promise<SchemeResponse>
  /**
   * Reports what a handler threw, and resolves to the error to respond with. Never rejects. What says that the delivery cannot
   * be handled now comes back as it is.
   */
  failed(thrown: unknown, delivery: Attached, request: unknown): Promise<WebhookError>
  /** The reply in what the application has returned behind the handlers. Throws an Error that was returned, as for a handler. */
  replyOf(returned: unknown): SchemeResponse | undefined
}

/**
 * The receiver and the handlers behind a `webhookHandler`.
 *
 * @throws TypeError for an invalid secret, handler or option.
 */
export function createWebhookHandling<Context, Attached, Own = object>(
  secret: SecretSource<Context>,
  handlers: unknown,
  options: unknown = {},
  { url, report = printHandlerFailure, rules = {} as OwnRules<Own> }: HandlingAdapter<Own> = {},
): WebhookHandling<Attached, Context, Own> {
  const table: TableOf<HandlerValues> = {
    ...RECEIVER_OPTIONS,
    ...HANDLING,
    onError: [hookRule<ErrorHook<never>>()],
  }
  const [given, own] = checkFormOptions(options, table, rules, HANDLING_EXAMPLE)
  const checked = {
    ...given,
    duplicates: duplicatesFor(handlers, given.scheme, given.duplicates),
  }
  const { endpoint, callbackTimeout, timeout } = checked
  const { abandonAfter = defaultAbandonAfter(timeout) } = checked
  const name = typeof endpoint === 'string' ? endpoint : undefined
  const settings = receiverSettings(checked)
  const { success } = settings
  const receiver = receiverWith<Context, Attached>(secret, settings)
  const onError =
    checked.onError ??
    ((error, failed) =>
      report(
        error,
        failed,
        failureLine(failed.delivery, settings.endpoint, urlFrom(url, failed)),
        own,
      ))

  /** The hook may end a request to a service for errors, which a Lambda or a Worker would cut short after the response. */
  async function reportError(thrown: unknown, failed: object): Promise<void> {
    // The hook gets the delivery and the request that its adapter's types promise.
    const hook = (error: unknown) => onError(error, failed as never)
    await runHookInTime('onError', hook, () => readable(thrown), callbackTimeout)
  }

  async function failed(
    thrown: unknown,
    delivery: Attached,
    request: unknown,
  ): Promise<WebhookError> {
    if (isHandlingError(thrown)) return thrown
    await reportError(thrown, { delivery, request })
    return handlerFailed(thrown)
  }

  // What a function of the request returns is in the endpoint of each delivery.
  const handle = deliveryHandlerWith<Attached, OfRequest, SchemeResponse>(
    handlers,
    handlingSettings({ ...checked, endpoint: name, abandonAfter }),
    {
      // It comes from the receiver, by the same scheme.
      deliveryOf: (delivery) => delivery as ParsedDelivery,
      keyOf: checkDeliveryKey,
      done: (_outcome, reply) => reply ?? success,
      async failed(thrown, delivery, { request } = {}) {
        const reply = replyBehind(thrown)
        if (reply) return reply
        throw await failed(thrown, delivery, request)
      },
    },
    (context) => urlFrom(url, context),
  )

  return {
    receiver,
    own,
    success,
    failed,
    replyOf(returned) {
      try {
        return replyOf(returned, settings.scheme)
      } catch (thrown) {
        const reply = replyBehind(thrown)
        if (reply) return reply
        throw thrown
      }
    },
    handle(received, context, timeLeft) {
      const { delivery, verification } = taken(received)
      const given = Object.assign({ verification }, context)
      return handle(delivery, { timeLeft, context: given }, verification)
    },
  }
}

interface OfRequest {
  readonly request?: unknown
}

/** Anything may stand in for a request in a test, and a getter of a framework may need a socket that is gone. */
function urlFrom(url: HandlingAdapter['url'], context: object | undefined): string | undefined {
  try {
    return url?.(Reflect.get(context ?? {}, 'request') as never)
  } catch {
    return undefined
  }
}

type HandlerValues = ReceiverValues &
  HandlingValues & { readonly onError: ErrorHook<never> | undefined }
