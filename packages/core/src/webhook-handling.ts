import { withTimeout } from './async/timeout.ts'
import type { ContractKind } from './contract/event.ts'
import type { DeliveryFor, Received, Verification } from './delivery.ts'
import { createDeliveryHandler } from './delivery-handler.ts'
import type { DeliveryWork, HandlerContext, HandlersFor } from './handling/dispatch.ts'
import { defaultAbandonAfter, HANDLING_OPTIONS, type HandlingOptions } from './handling/options.ts'
import { isHandlingError } from './handling/steps.ts'
import { runHook } from './hooks.ts'
import { DEFAULTS, RECEIVER_OPTIONS, type ReceiverOptions } from './options.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import { createReceiver, type Receiver } from './receiver.ts'
import {
  failureLine,
  handlerFailed,
  printHandlerFailure,
  readable,
} from './reject/handler-failure.ts'
import type { WebhookError } from './reject/webhook-error.ts'
import { attach } from './request/attached.ts'
import { checkOptionNames, checkValue } from './validate/check-options.ts'
import { functionRule, optional } from './validate/rule.ts'
import type { SchemeKind, SchemeResponse } from './verify/scheme.ts'
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
   */
  readonly onError?: ErrorHook<Request, Kind> | undefined
}

/** What an adapter says for its `webhookHandler`. */
export interface HandlingAdapter {
  /** The path and query as requested, for the line of a failed handler. */
  readonly url?: ((request: never) => string | undefined) | undefined
  /**
   * The default `onError`, which also gets the line to log.
   * @default prints to standard error
   */
  readonly report?:
    | ((...failure: [...Parameters<ErrorHook<never>>, line: string]) => void)
    | undefined
  /** The names of the options that the adapter checks itself. */
  readonly ownOptions?: readonly string[]
}

/** What an adapter needs for its `webhookHandler`. */
export interface WebhookHandling<Attached, Context> {
  readonly receiver: Receiver<Attached, Context>
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
}

/**
 * The receiver and the handlers behind a `webhookHandler`.
 *
 * @throws TypeError for an invalid secret, handler or option.
 */
export function createWebhookHandling<
  Context,
  const Schemas extends DeliverySchemas,
  const ExtraEvent extends string,
  Kind extends SchemeKind,
>(
  secret: SecretSource<Context>,
  handlers: unknown,
  options: WebhookHandlerOptions<Schemas, ExtraEvent, unknown, never, Kind> = {},
  { url, report = printHandlerFailure, ownOptions = [] }: HandlingAdapter = {},
): WebhookHandling<DeliveryFor<Kind, Schemas, ExtraEvent>, Context> {
  const names = [...new Set([...RECEIVER_OPTIONS, ...HANDLING_OPTIONS, 'onError', ...ownOptions])]
  const given = checkOptionNames(options, names, '{ store: memoryStore() }')
  // Each part checks the values of its own options.
  const receiver = createReceiver<Context, Schemas, ExtraEvent, Kind>(
    secret,
    pick(given, RECEIVER_OPTIONS),
  )
  const handling = {
    ...pick(given, HANDLING_OPTIONS),
    abandonAfter: given.abandonAfter ?? defaultAbandonAfter(given.timeout),
    // The result of a function is in the keys of the deliveries.
    ...(typeof options.endpoint === 'function' && { endpoint: undefined }),
  }
  // The adapters' types have checked the handlers and the options against each other.
  const handle = createDeliveryHandler<Schemas, ExtraEvent, never, Kind>(
    handlers as never,
    handling as never,
  )
  const { callbackTimeout = DEFAULTS.callbackTimeout, endpoint } = options
  const name = typeof endpoint === 'string' ? endpoint : undefined
  const onError =
    checkValue('onError', given.onError, ON_ERROR) ??
    ((error, failed) =>
      report(
        error,
        failed,
        failureLine(failed.delivery, name, () => url?.(failed.request)),
      ))

  /** The hook may end a request to a service for errors, which a Lambda or a Worker would cut short after the response. */
  async function reportError(thrown: unknown, failed: object): Promise<void> {
    // The hook gets the delivery and the request that its adapter's types promise.
    const hook = (error: unknown) => onError(error, failed as never)
    const reported = runHook('onError', hook, () => readable(thrown))
    await withTimeout(callbackTimeout, reported, () => undefined).catch(() => {
      console.error(
        `[webhook-receiver] onError had not finished after ${callbackTimeout} s. The response was sent without waiting for it.`,
      )
    })
  }

  async function failed(
    thrown: unknown,
    delivery: DeliveryFor<Kind, Schemas, ExtraEvent>,
    request: unknown,
  ): Promise<WebhookError> {
    if (isHandlingError(thrown)) return thrown
    await reportError(thrown, { delivery, request })
    return handlerFailed(thrown)
  }

  const success = options.scheme?.success ?? { status: 204 }
  return {
    receiver,
    success,
    failed,
    async handle(received, context, timeLeft) {
      const { delivery, verification } = received
      // Empties it: the promises of a slow upload have become old with it, and would keep all of it until old memory is collected.
      attach(received, {})
      const { key } = verification
      try {
        await handle(delivery, {
          timeLeft,
          context: Object.assign({ verification }, context),
          key,
        })
      } catch (thrown) {
        throw await failed(thrown, delivery, context.request)
      }
      return success
    },
  }
}

const ON_ERROR = optional(functionRule<ErrorHook<never>>('a function'))

function pick(given: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
}
