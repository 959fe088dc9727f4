import { AT_ONCE, isPromiseLike } from './async/timeout.ts'
import type { Delivery } from './contract/delivery.ts'
import { WorkContext } from './handling/context.ts'
import type { deliveryKeyOf, Identified } from './handling/delivery-key.ts'
import { createHandlerLookup } from './handling/dispatch.ts'
import { createFailureReport } from './handling/failure-report.ts'
import type { HandlerContext } from './handling/handlers.ts'
import { createIgnoredReport } from './handling/ignored-report.ts'
import { optionNames } from './handling/option-rules.ts'
import { replyOf, type WebhookReply } from './handling/reply.ts'
import type { ResolvedHandlingOptions } from './handling/settings.ts'
import { createStepReporter, type Outcome } from './handling/steps.ts'
import { createRunners } from './run/runners.ts'
import { limitWorkBy } from './run/work-limit.ts'
import { warnOfSharedEndpoint } from './store/shared-endpoint.ts'
import type { ParsedDelivery } from './verify/scheme.ts'

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
