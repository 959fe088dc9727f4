import { AT_ONCE, isPromiseLike } from './async/timeout.ts'
import type { ContractKind } from './contract/event.ts'
import type { Delivery, DeliveryFor } from './delivery.ts'
import { WorkContext } from './handling/context.ts'
import { deliveryKeyOf, type Identified } from './handling/delivery-key.ts'
import { createHandlerLookup } from './handling/dispatch.ts'
import { createFailureReport } from './handling/failure-report.ts'
import type { DeliveryWork, HandlerContext, HandlersFor } from './handling/handlers.ts'
import { createIgnoredReport } from './handling/ignored-report.ts'
import {
  type HandlingOptions,
  optionNames,
  type ResolvedHandlingOptions,
  resolveHandlingOptions,
} from './handling/options.ts'
import { replyOf, type WebhookReply } from './handling/reply.ts'
import type { Outcome } from './handling/steps.ts'
import { createStepReporter } from './handling/steps.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import { quoted } from './reject/log-line.ts'
import { requireAttached } from './request/attached.ts'
import { createRunners } from './run/runners.ts'
import { limitWorkBy } from './run/work-limit.ts'
import { warnOfSharedEndpoint } from './store/shared-endpoint.ts'
import { assertCalled } from './validate/called.ts'
import type { DuplicatesRequired } from './verify/duplicates.ts'
import { isDelivery, type ParsedDelivery, type SchemeKind } from './verify/scheme.ts'

/** Handles one delivery, and resolves when it can be acknowledged. */
export type HandleDelivery<Handled = Delivery> = (
  delivery: Handled,
  options?: {
    /** The time until the process is stopped, in seconds, if it is known. If it is shorter than `timeout`, it is used instead. */
    readonly timeLeft?: number | undefined
    /** Properties for the second argument of the handler, besides `signal` and `transaction`. */
    readonly context?: object
    /** The `verification.endpoint` of the delivery: the `verification` itself fits here. */
    readonly endpoint?: string | undefined
    /** And its `verification.key`. With a store, both are required where the signature does not cover the id, and for tenants. */
    readonly key?: string | undefined
  },
) => Promise<Outcome>

/** Handles one delivery. `verification` has the endpoint and the key, instead of the options. */
type HandleWith<Handled, Context extends object, Ended> = (
  delivery: Handled,
  options?: Parameters<HandleDelivery>[1] & { readonly context?: Context },
  verification?: Identified,
) => Promise<Ended>

/** What differs between a worker, which is given anything, and a route, which is given what its receiver has verified. */
interface Form<Handled, Context extends object, Ended> {
  /** Throws for what is not a delivery. */
  readonly deliveryOf: (given: Handled, settings: ResolvedHandlingOptions) => ParsedDelivery
  readonly keyOf: typeof deliveryKeyOf
  // What becomes of it. Called by what has waited for the handler, since each promise more costs every request time.
  readonly done: (outcome: Outcome, reply: WebhookReply | undefined) => Ended
  readonly failed: (
    error: unknown,
    delivery: Handled,
    context: Context | undefined,
  ) => Promise<Ended>
}

/**
 * Returns the function that a worker of a queue calls for each delivery; `webhookHandler` uses it too. It finds the handler
 * for the event and runs it; with a store, it runs it once for each `verification.endpoint` and `verification.key`. Without these, they are
 * the option `endpoint` and the `id`, if that is signed.
 *
 * The function rejects with the handler's own error, or with a WebhookError (503): `delivery_in_progress`,
 * `store_unavailable`, `lease_lost`, `handler_timeout`, `handler_abandoned`.
 *
 * @throws TypeError for an invalid handler or option.
 *
 * @example
 * const handle = createDeliveryHandler(
 *   { 'message.received': async (delivery) => { … } },
 *   { store: memoryStore() },
 * )
 * await handle(delivery, { endpoint, key })
 */
export function createDeliveryHandler<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
>(
  handlers:
    | HandlersFor<
        NoInfer<Kind>,
        NoInfer<Schemas>,
        NoInfer<ExtraEvent>,
        HandlerContext<NoInfer<Transaction>>
      >
    | DeliveryWork<
        DeliveryFor<NoInfer<Kind>, NoInfer<Schemas>, NoInfer<ExtraEvent>>,
        HandlerContext<NoInfer<Transaction>>
      >,
  options?: HandlingOptions<ExtraEvent, Transaction, Kind> & DuplicatesRequired<NoInfer<Kind>>,
): HandleDelivery<DeliveryFor<Kind, Schemas, ExtraEvent>> {
  assertCalled('createDeliveryHandler({ … })', handlers)
  return deliveryHandlerWith(handlers, resolveHandlingOptions(options), {
    deliveryOf,
    keyOf: deliveryKeyOf,
    done: (outcome) => outcome,
    failed: (error) => Promise.reject(error),
  })
}

/**
 * Creates the handler from settings, whose types the caller knows.
 *
 * @param urlOf the path and query of the request behind a context, for log lines. It never throws.
 *
 * @throws TypeError for an invalid handler.
 */
export function deliveryHandlerWith<Handled, Context extends object, Ended>(
  handlers: unknown,
  settings: ResolvedHandlingOptions,
  { deliveryOf, keyOf, done, failed }: Form<Handled, Context, Ended>,
  urlOf: (context: object | undefined) => string | undefined = () => undefined,
): HandleWith<Handled, Context, Ended> {
  const { scheme, store } = settings
  const lookup = createHandlerLookup(handlers, scheme, settings.events, optionNames())
  const { onIgnored = createIgnoredReport(lookup.names, settings.endpoint) } = settings
  const reportStep = createStepReporter({ ...settings, onIgnored })
  const report = createFailureReport(settings)
  if (store) warnOfSharedEndpoint(store, settings.endpoint, scheme, handlers)
  const runnerFor = store && createRunners(store, settings)
  const limitWork = limitWorkBy(settings)

  return async function handle(given, options = {}, verification = options) {
    const { timeLeft = settings.timeout, context } = options
    try {
      const delivery = deliveryOf(given, settings)
      const work = lookup.find(delivery)
      const known = store && work && keyOf(verification, delivery, settings)
      const handled = { delivery, key: known ?? verification, since: performance.now() }
      if (!work) {
        reportStep(handled, 'ignored')
        return done('ignored', undefined)
      }
      let outcome: Outcome = 'completed'
      let replied: WebhookReply | undefined
      const take = (returned: unknown) => {
        replied = replyOf(returned, scheme)
      }
      const late = (error: unknown) => report.late(error, delivery, urlOf(context))
      const begin = (own: HandlerContext<unknown>) => {
        reportStep(handled, 'claimed')
        return work(delivery, context ? Object.assign(own, context) : own)
      }
      try {
        const timeout = Math.min(timeLeft, settings.timeout)
        if (runnerFor && known) outcome = await runnerFor()(known, begin, timeout, take, late)
        else {
          // Without a store each delivery runs that comes, duplicates too. Not in a function that waits: that is one promise more for each request.
          const own = new WorkContext(undefined)
          const returned = begin(own)
          if (isPromiseLike(returned)) {
            const working = Promise.resolve(returned)
            let isEnded = false
            const end = () => {
              isEnded = true
            }
            working.then(end, end)
            for (let microtask = 0; microtask < AT_ONCE && !isEnded; microtask++) await undefined
            if (isEnded) take(await working)
            else await limitWork(working.then(take), own, timeout, late)
          } else take(returned)
        }
        reportStep(handled, outcome)
      } catch (error) {
        report.rejected(error, delivery, urlOf(context))
        reportStep(handled, 'failed', error)
        throw error
      }
      return done(outcome, replied)
    } catch (error) {
      return await failed(error, given, context)
    }
  }
}

/** Requires a delivery of a receiver with the same events, and says what to pass where something else came. */
function deliveryOf(
  given: unknown,
  { scheme, events }: Pick<ResolvedHandlingOptions, 'scheme' | 'events'>,
): ParsedDelivery {
  const value = Object(given)
  if (isDelivery(scheme, value)) {
    const { known, event } = value
    if (known !== false || !events.has(event)) return value
    throw new TypeError(
      `There is a handler for ${JSON.stringify(event)}, which the receiver does not know: add it to its \`extraEvents\`.`,
    )
  }
  const { scheme: other } = value
  const advice =
    typeof other === 'string' && other !== scheme.name
      ? `It is a delivery of the scheme ${quoted(other)}: pass this \`scheme\` to the delivery handler too.`
      : ADVICE
  return requireAttached(undefined, { advice })
}

const ADVICE =
  'The delivery handler was called with something else, so nothing was verified. Give it the `delivery` of a receiver: ' +
  'const { delivery } = await receiver.receiveRequest(request).'
