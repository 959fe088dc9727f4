import type { ContractKind } from './contract/event.ts'
import type { Delivery, DeliveryFor, Verification } from './delivery.ts'
import {
  createHandlerLookup,
  type DeliveryWork,
  type HandlerContext,
  type HandlersFor,
} from './handling/dispatch.ts'
import { createFailureReport } from './handling/failure-report.ts'
import { createIgnoredReport } from './handling/ignored-report.ts'
import { observeStore } from './handling/observed-store.ts'
import {
  type HandlingOptions,
  isTransactional,
  optionNames,
  type ResolvedHandlingOptions,
  resolveHandlingOptions,
} from './handling/options.ts'
import { replyOf, type WebhookReply } from './handling/reply.ts'
import type { Outcome } from './handling/steps.ts'
import { createStepReporter } from './handling/steps.ts'
import { CHANNELS, channel } from './observe/channels.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import { requireAttached } from './request/attached.ts'
import { createLeaseRunner } from './run/lease-runner.ts'
import { createPlainRunner } from './run/plain-runner.ts'
import type { LeaseSettings, Runner } from './run/runner.ts'
import { createTransactionRunner } from './run/transaction-runner.ts'
import { checkDeliveryKey, type DeliveryKey } from './store/key.ts'
import { warnOfSharedEndpoint } from './store/shared-endpoint.ts'
import type { DeliveryStore, TransactionalDeliveryStore } from './store/store.ts'
import { assertCalled } from './validate/called.ts'
import { chosenKey, type DuplicatesRequired, isIdTheKey, requireDecided } from './verify/key.ts'
import { isDelivery, type ParsedDelivery, type Scheme, type SchemeKind } from './verify/scheme.ts'

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

/** What is known of a delivery besides its content. */
interface Identified {
  readonly endpoint?: string | undefined
  readonly key?: string | undefined
  readonly unsigned?: Verification['unsigned'] | undefined
}

/** Handles the delivery of a request, whose response may be a reply of the handler. */
export type HandleWithReply<Handled> = (
  delivery: Handled,
  options?: Parameters<HandleDelivery>[1] & {
    /** Called with what the handler replied, when the delivery is done. */
    readonly onReply?: (reply: WebhookReply) => void
  },
  /** Has the endpoint and the key, instead of the options. */
  verification?: Identified,
) => Promise<Outcome>

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
  return deliveryHandlerWith(handlers, resolveHandlingOptions(options))
}

/**
 * Creates the handler from settings, whose types the caller knows.
 *
 * @param urlOf the path and query of the request behind a context, for log lines. It never throws.
 *
 * @throws TypeError for an invalid handler.
 */
export function deliveryHandlerWith<Handled>(
  handlers: unknown,
  settings: ResolvedHandlingOptions,
  urlOf: (context: object | undefined) => string | undefined = () => undefined,
): HandleWithReply<Handled> {
  const { scheme, store } = settings
  const lookup = createHandlerLookup(handlers, scheme, settings.events, optionNames())
  const { onIgnored = createIgnoredReport(lookup.names, settings.endpoint) } = settings
  const reportStep = createStepReporter({ ...settings, onIgnored })
  const report = createFailureReport(settings)
  const runnerFor = createRunners({ ...settings, onLateFailure: report.late }, handlers)

  return async function handle(given, options = {}, verification = options) {
    const { timeLeft = settings.timeout, context, onReply } = options
    const delivery = deliveryOf(given, scheme)
    const work = lookup.find(delivery)
    const known = store && work && deliveryKeyOf(verification, delivery, settings)
    const handled = { delivery, key: known ?? verification, since: performance.now() }
    if (!work) {
      reportStep(handled, 'ignored')
      return 'ignored'
    }
    try {
      let replied: WebhookReply | undefined
      const take = (returned: unknown) => {
        replied = replyOf(returned, scheme)
      }
      const begin: Parameters<Runner>[1] = (given) => {
        reportStep(handled, 'claimed')
        return work(delivery, context ? Object.assign(given, context) : given)
      }
      const running = runnerFor()(
        known ?? NOTHING,
        begin,
        Math.min(timeLeft, settings.timeout),
        take,
      )
      const outcome = running instanceof Promise ? await running : running
      reportStep(handled, outcome)
      if (replied) onReply?.(replied)
      return outcome
    } catch (error) {
      report.rejected(error, delivery, urlOf(context))
      reportStep(handled, 'failed', error)
      throw error
    }
  }
}

/** What a runner without a store gets, which remembers nothing. */
const NOTHING: DeliveryKey = { endpoint: '', key: '' }

/**
 * What a delivery is remembered by, which may come without endpoint and key.
 *
 * @throws TypeError for a key of an unsigned id that nobody chose, and without one that could be made here.
 */
function deliveryKeyOf(
  given: Identified,
  delivery: ParsedDelivery,
  settings: ResolvedHandlingOptions,
): DeliveryKey {
  requireDecided(given, settings.duplicates)
  const { endpoint } = given
  if (endpoint !== undefined || given.key !== undefined) return checkDeliveryKey(given)
  return { endpoint: settings.endpoint, key: keyFor(delivery, settings) }
}

/**
 * The key of a delivery that comes without one.
 *
 * @throws TypeError without a key that could be made here: nothing is acknowledged that cannot be told apart.
 */
function keyFor(
  delivery: ParsedDelivery,
  { scheme, duplicates }: Pick<ResolvedHandlingOptions, 'scheme' | 'duplicates'>,
): string {
  const own = () => {
    if (isIdTheKey(scheme) && duplicates !== 'body' && delivery.id) return delivery.id
    throw new TypeError(
      'The delivery comes without its key. Store `verification.endpoint` and `verification.key` with it, and pass both: ' +
        'handle(delivery, { endpoint, key }).',
    )
  }
  if (typeof duplicates !== 'function') return own()
  return chosenKey(duplicates, delivery, {
    get key() {
      return own()
    },
  })
}

/** Requires a delivery, and says what to pass where something else came. */
function deliveryOf(given: unknown, scheme: Scheme): ParsedDelivery {
  const value = Object(given)
  return isDelivery(scheme, value) ? value : requireAttached(undefined, { advice: ADVICE })
}

const ADVICE =
  'The delivery handler was called with something else, so nothing was verified. Give it the `delivery` of a receiver: ' +
  'const { delivery } = await receiver.receiveRequest(request).'

/** The runner for a delivery: calls of the store are reported only while somebody listens. */
function createRunners(
  settings: LeaseSettings &
    Pick<ResolvedHandlingOptions, 'store' | 'endpoint' | 'onStoreCall' | 'scheme'>,
  handlers: unknown,
): () => Runner {
  const { store, onStoreCall } = settings
  if (!store) {
    const plain = createPlainRunner(settings)
    return () => plain
  }
  warnOfSharedEndpoint(store, settings.endpoint, settings.scheme, handlers)
  const calls = channel(CHANNELS.store)
  const silent = runnerOn(store, settings)
  const observed = runnerOn(observeStore(store, settings, calls), settings)
  return () => (onStoreCall || calls?.hasSubscribers ? observed : silent)
}

function runnerOn(
  store: DeliveryStore | TransactionalDeliveryStore<unknown>,
  settings: LeaseSettings,
): Runner {
  return isTransactional(store)
    ? createTransactionRunner(store, settings)
    : createLeaseRunner(store, settings)
}
