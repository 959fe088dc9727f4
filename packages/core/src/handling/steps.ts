import { runHook, secondsSince } from '../hooks.ts'
import { CHANNELS, type Channel, channel } from '../observe/channels.ts'
import { nameOf } from '../reject/handler-failure.ts'
import { isOfHandling, type Reason } from '../reject/reasons.ts'
import { isWebhookError, type WebhookError } from '../reject/webhook-error.ts'
import { tenantIn } from '../verification.ts'
import { withKeyOf } from '../verify/late-key.ts'
import type { ParsedDelivery, Scheme } from '../verify/scheme.ts'

/** One step of a delivery in a `webhookHandler`. */
export interface HandlingStep {
  /**
   * `claimed`: its handler begins; with a store, no other process handles it. `duplicate`: it was handled before, or
   * is being handled (then there is a `reason`). `completed`: its handler is done, and it is marked as done.
   * `failed`: its handler threw an error, or it failed for the `reason`. `ignored`: there is no handler for it.
   */
  readonly step: 'claimed' | 'failed' | Outcome
  /** The time of the step, in milliseconds since the epoch, by the clock of the handler. */
  readonly at: number
  /** The time since the delivery was verified, in seconds. */
  readonly duration: number
  readonly endpoint: string
  /** What the function `endpoint` returned for the request; `undefined` without one. */
  readonly tenant: string | undefined
  /** The name of the scheme. */
  readonly scheme: string
  /** `undefined` if the service has none. */
  readonly id: string | undefined
  /** `undefined` if the service has none. */
  readonly event: string | undefined
  /** `undefined` if the service has none, or the body does not say. */
  readonly action: string | undefined
  /** The `verification.key`, by which the store remembers the delivery at its endpoint. `undefined` if it is not known. */
  readonly key: string | undefined
  /** `undefined` with another scheme than the contract. */
  readonly known: boolean | undefined
  /** The reason if the status is 503; otherwise `undefined`. */
  readonly reason: Reason | undefined
  /** The thrown value, if there is one. An error of a handler may quote the delivery. */
  readonly error: unknown
}

export type HandlingHook = (step: HandlingStep) => unknown

/** The result of a delivery that can be acknowledged. */
export type Outcome =
  /** Its handler ran to its end. */
  | 'completed'
  /** It had been handled before. */
  | 'duplicate'
  /** There is no handler for it. */
  | 'ignored'

/** The options that are needed to report the steps. */
export interface StepSettings {
  readonly scheme: Pick<Scheme, 'name'>
  readonly onHandling: HandlingHook | undefined
  readonly onIgnored: HandlingHook | false
  readonly endpoint: string
  readonly now: () => number
}

/** What a step says of where and by what the delivery is known. */
interface StepKey {
  readonly endpoint?: string | undefined
  readonly key?: string | undefined
}

/** A delivery on its way through its handler. */
interface Handled {
  readonly delivery: ParsedDelivery
  readonly key: StepKey
  /** When it was verified, by `performance.now`. */
  readonly since: number
}

type ReportStep = (handled: Handled, step: HandlingStep['step'], error?: unknown) => void

/** Makes what reports each step of a delivery to the hook and to the channel of the step. */
export function createStepReporter({
  onHandling,
  onIgnored,
  endpoint,
  now,
  scheme: { name: scheme },
}: StepSettings): ReportStep {
  const channels = stepChannels()
  return (handled, step, error) => {
    // Mostly nobody listens, so nothing is looked at before that is known.
    const reason = step === 'failed' && isHandlingError(error) ? error.reason : undefined
    const taken = reason === 'delivery_in_progress' ? 'duplicate' : step
    const listened = channels[taken]
    const ignoredHook = taken === 'ignored' && onIgnored
    if (!onHandling && !ignoredHook && !listened?.hasSubscribers) return
    const { delivery, key, since } = handled
    const { id, event, action, known } = delivery
    const duration = secondsSince(since)
    const tenant = tenantIn(key.endpoint ?? '')
    const of = { endpoint, tenant, scheme, id, event, action, known, reason }
    const facts = { at: now(), duration, ...of }
    if (listened?.hasSubscribers) {
      const message: HandlingMessage = withKeyOf({ ...facts, errorName: nameOf(error) }, key)
      listened.publish(message)
    }
    const describe = () => withKeyOf({ step: taken, ...facts, error }, key)
    void runHook('onHandling', onHandling, describe)
    if (ignoredHook) void runHook('onIgnored', ignoredHook, describe)
  }
}

function stepChannels(): Readonly<Record<HandlingStep['step'], Channel | undefined>> {
  return {
    claimed: channel(CHANNELS.claimed),
    duplicate: channel(CHANNELS.duplicate),
    completed: channel(CHANNELS.completed),
    failed: channel(CHANNELS.failed),
    ignored: channel(CHANNELS.ignored),
  }
}

/** A message of the channels `claimed`, `duplicate`, `completed`, `failed` and `ignored`. */
export interface HandlingMessage extends Omit<HandlingStep, 'step' | 'error'> {
  /** The name of the error that was thrown, such as 'TypeError'. Its message may quote the delivery. */
  readonly errorName: string | undefined
}

/** Whether an error says that the delivery cannot be handled now: its status is 503. */
export function isHandlingError(error: unknown): error is WebhookError {
  return isWebhookError(error) && isOfHandling(error)
}
