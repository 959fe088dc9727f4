import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  createNoopMeter,
  diag,
  type MeterProvider,
  metrics,
  ProxyTracerProvider,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import {
  CHANNELS,
  type HandlingMessage,
  type ReceivedMessage,
  type RejectedMessage,
  type StoreMessage,
} from '@webhook-receiver/core'
import { checkOptions, optional, processWide, rule } from '@webhook-receiver/core/internal'
import {
  type CountedInbox,
  type CountedQuarantine,
  createMetrics,
  observeInbox,
  observeQuarantine,
} from './metrics.ts'
import { createSpans } from './spans.ts'

export interface InstrumentationOptions {
  /**
   * The endpoints of this process, as the `endpoint` option names them. Their counters begin at 0, so that the
   * first delivery is already an increase. Anything but an array of strings is a TypeError.
   * @default ['default']
   */
  readonly endpoints?: readonly string[] | undefined
  /**
   * The events of other services that metrics name, such as `['push']`. Any other event is `_OTHER` in metrics, since a service may invent
   * names at any time; the events of the contract are always named. Anything but an array of strings is a TypeError.
   * @default []
   */
  readonly events?: readonly string[] | undefined
  /**
   * The quarantine of these endpoints, such as `folderQuarantine('./quarantine')`: what it holds and has declined are metrics.
   * Anything without `counts` is a TypeError.
   * @default none
   */
  readonly quarantine?: CountedQuarantine | undefined
  /**
   * The inbox, such as `postgresInbox({ … })`: what waits in it and what is dead are metrics. Each collection of metrics is a query. Anything
   * without `stats` is a TypeError.
   * @default none
   */
  readonly inbox?: CountedInbox | undefined
  /**
   * Where the spans go. Anything without `getTracer` is a TypeError.
   * @default the global one
   */
  readonly tracerProvider?: TracerProvider | undefined
  /**
   * Where the metrics go. Anything without `getMeter` is a TypeError.
   * @default the global one
   */
  readonly meterProvider?: MeterProvider | undefined
}

const NAME = '@webhook-receiver/opentelemetry'

const OPTIONS = {
  endpoints: [names("['default']"), ['default']],
  events: [names("['push']"), []],
  quarantine: [
    optional(
      having<CountedQuarantine>("a quarantine, such as folderQuarantine('./quarantine')", 'counts'),
    ),
  ],
  inbox: [optional(having<CountedInbox>('an inbox, such as postgresInbox({ … })', 'stats'))],
  tracerProvider: [optional(provider<TracerProvider>('TracerProvider', 'getTracer'))],
  meterProvider: [optional(provider<MeterProvider>('MeterProvider', 'getMeter'))],
} as const

/**
 * Creates spans and metrics for all receivers and handlers in this process. Call it once, after the OpenTelemetry SDK was registered: otherwise it
 * warns. It returns a function that stops it.
 *
 * @throws TypeError for an invalid option.
 * @example
 * instrumentWebhooks()
 */
export function instrumentWebhooks(options: InstrumentationOptions = {}): () => void {
  const { endpoints, events, quarantine, inbox, tracerProvider, meterProvider } = checkOptions(
    options,
    OPTIONS,
    "{ endpoints: ['default'] }",
  )
  const spans = createSpans((tracerProvider ?? trace).getTracer(NAME))
  const meter = (meterProvider ?? metrics).getMeter(NAME)
  const measure = createMetrics(meter, endpoints, new Set(events))
  if (meter === createNoopMeter() && !tracerProvider && !hasTracer()) {
    warn(
      'instrumentWebhooks() was called before the OpenTelemetry SDK was registered, so there will be no metrics. Call it after `sdk.start()`.',
    )
  }
  if (running.size > 0) {
    warn(
      'instrumentWebhooks() was called twice, so each request is counted twice. Call it once for the process.',
    )
  }

  const listeners = [
    listen(CHANNELS.received, (message: ReceivedMessage) => {
      measure.received(message)
      spans.received(message)
    }),
    listen(CHANNELS.rejected, (message: RejectedMessage) => {
      measure.rejected(message)
      spans.rejected(message)
    }),
    ...(['completed', 'duplicate', 'failed', 'ignored'] as const).map((step) =>
      listen(CHANNELS[step], (message: HandlingMessage) => {
        measure.handled(step, message)
        spans.handled(step, message)
      }),
    ),
    listen(CHANNELS.store, (message: StoreMessage) => {
      measure.stored(message)
      spans.stored(message)
    }),
    ...(quarantine ? [observeQuarantine(meter, quarantine)] : []),
    ...(inbox ? [observeInbox(meter, inbox, reportInbox)] : []),
  ]
  running.add(listeners)
  return () => {
    running.delete(listeners)
    for (const stop of listeners) stop()
  }
}

/** What was not stopped, also by another copy of this package. */
const running = processWide('instrumented', () => new Set<unknown>())

/** Whether a global provider of spans was registered; metrics may be left out on purpose. */
function hasTracer(): boolean {
  const provider = trace.getTracerProvider()
  return (
    !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(NAME) !== undefined
  )
}

function reportInbox(error: unknown): void {
  diag.error(`${NAME}: the inbox could not be counted.`, error)
}

function warn(message: string): void {
  console.warn(`[webhook-receiver] ${message}`)
}

/** Each channel has messages of one type. */
function listen<Message>(channel: string, listener: (message: Message) => void): () => void {
  const listening = (message: unknown) => {
    // Node would make an uncaught exception of what a listener throws, and end the process.
    try {
      listener(message as Message)
    } catch (error) {
      diag.error(`${NAME}: a message of ${channel} was lost.`, error)
    }
  }
  subscribe(channel, listening)
  return () => void unsubscribe(channel, listening)
}

function names(example: string) {
  return rule<readonly string[]>(
    `an array of names, such as ${example}`,
    (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  )
}

function provider<Provider>(name: string, method: string) {
  return having<Provider>(`a ${name} of OpenTelemetry`, method)
}

function having<Value>(expected: string, method: string) {
  return rule<Value>(
    expected,
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      typeof Reflect.get(value, method) === 'function',
  )
}
