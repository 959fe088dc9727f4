import { setMaxListeners } from 'node:events'
import type { WebhookEvent } from '@webhook-receiver/core'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { deliver } from './deliver.ts'
import { type DeliveryReport, type OpenReport, openReport, snapshot } from './delivery-report.ts'
import { checkedEmission, type Emission, type EmitOptions } from './emission.ts'
import { planFault } from './fault.ts'
import { createListeners, type Listeners } from './listeners.ts'
import type { EmulatorOptions } from './options.ts'
import { seededRandom } from './random.ts'
import { registrationEndpoint } from './registration-endpoint.ts'
import { checkRegistration } from './registration-request.ts'
import {
  createRegistry,
  type RegisteredWebhook,
  type RegisteredWebhookWithSecret,
  type RegistrationRequest,
  tooManyWebhooks,
  type Webhook,
} from './registry.ts'
import { resolveOptions } from './resolved-options.ts'
import { type RunOptions, type RunSummary, runScenario } from './run.ts'
import type { ScenarioStep } from './scenario.ts'
import { listen, type RunningServer } from './server.ts'

/** The service, on this machine. */
export interface Emulator<ExtraEvent extends string = never> {
  /** What a client takes as its `baseUrl`. Throws where the emulator is not running. */
  readonly baseUrl: string
  /** What a registration has to bring: the option `apiKey`, or the key that was made without it. */
  readonly apiKey: string
  /** The same seed gives the same faults to the same sequence of deliveries. */
  readonly seed: number
  /** Serves the registration end point. Webhooks remain over a stop and a start. */
  start(): Promise<void>
  /** Ends everything: deliveries that are under way have the outcome `stopped`. No timer or socket is left. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
  /**
   * Registers a webhook without the way over HTTP. The secret is returned this one time.
   *
   * @throws TypeError for a wrong one; Error past `maxWebhooks`.
   */
  register(request: RegistrationRequest): RegisteredWebhookWithSecret
  /** The webhooks, without their secrets. */
  webhooks(): readonly RegisteredWebhook[]
  /**
   * Sends a delivery to each webhook that listens to the event, and resolves when each has its outcome.
   * Without `data` it is made up.
   */
  emit(
    event: WebhookEvent | ExtraEvent,
    data?: Readonly<Record<string, unknown>>,
    options?: EmitOptions,
  ): Promise<readonly DeliveryReport[]>
  /** Emits a scenario at a pace. */
  run(
    scenario:
      | AsyncIterable<ScenarioStep<WebhookEvent | ExtraEvent>>
      | Iterable<ScenarioStep<WebhookEvent | ExtraEvent>>,
    options?: RunOptions,
  ): Promise<RunSummary>
  /** What was sent, oldest first, as it stands now. */
  deliveries(): readonly DeliveryReport[]
  /** Tells of webhooks, attempts and deliveries as they come; returns a function that ends it. */
  readonly on: Listeners['on']
}

/**
 * Makes a stand-in for the service: it registers webhooks over HTTP and sends them signed deliveries.
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * const emulator = createEmulator()
 * await emulator.start()
 * // … register a webhook at emulator.baseUrl, with emulator.apiKey …
 * const [delivery] = await emulator.emit('message.received', { text: 'hello' })
 * await emulator.stop()
 */
export function createEmulator<const ExtraEvent extends string = never>(
  options: EmulatorOptions<ExtraEvent> = {},
): Emulator<ExtraEvent> {
  const resolved = resolveOptions(options)
  const random = seededRandom(resolved.seed)
  const registry = createRegistry(resolved)
  const listeners = createListeners()
  const reports: OpenReport[] = []
  const pending = new Set<Promise<void>>()
  let session: { readonly server: RunningServer; readonly end: AbortController } | undefined
  let starting: Promise<RunningServer> | undefined

  function running(): NonNullable<typeof session> {
    if (session) return session
    throw new Error('The emulator is not running: `await emulator.start()` first.')
  }

  function add(request: RegistrationRequest): RegisteredWebhookWithSecret | undefined {
    const webhook = registry.add(request)
    if (webhook === undefined) return undefined
    const { shown, secret } = webhook
    listeners.notify('webhook', shown)
    return { ...shown, secret }
  }

  async function start(): Promise<void> {
    if (session || starting) throw new Error('The emulator is running already.')
    starting = listen(registrationEndpoint(resolved, add), resolved.host, resolved.port)
    const end = new AbortController()
    // Every request and every wait listens to it: more than 10 are no leak.
    setMaxListeners(0, end.signal)
    try {
      session = { server: await starting, end }
    } finally {
      starting = undefined
    }
  }

  async function stop(): Promise<void> {
    await starting?.catch(() => {})
    const ended = session
    session = undefined
    ended?.end.abort()
    await Promise.all([ended?.server.close(), ...pending])
  }

  async function emit(
    event: string,
    data?: Readonly<Record<string, unknown>>,
    { instanceId = 'inst_01', fault }: EmitOptions = {},
  ): Promise<readonly DeliveryReport[]> {
    const emission = checkedEmission({ event, data, instanceId, fault }, resolved)
    const { signal } = running().end
    return Promise.all(
      registry.listeningTo(event).map((webhook) => dispatch(webhook, emission, signal)),
    )
  }

  async function dispatch(
    webhook: Webhook,
    { event, data, instanceId, fault }: Emission,
    end: AbortSignal,
  ): Promise<DeliveryReport> {
    const delivery = sampleDelivery(event, { data, instanceId, now: resolved.now })
    const plan = planFault(random, resolved, fault)
    const report = openReport(webhook, delivery, plan.fault)
    reports.push(report)
    if (reports.length > resolved.history) reports.shift()
    const delivering = deliver(
      { webhook, delivery, plan, report, place: webhook.order.nextPlace() },
      resolved,
      listeners,
      end,
    )
    pending.add(delivering)
    await delivering.finally(() => pending.delete(delivering))
    return snapshot(report)
  }

  return {
    get baseUrl() {
      return running().server.baseUrl
    },
    // A getter, which console.log does not run.
    get apiKey() {
      return resolved.apiKey
    },
    seed: resolved.seed,
    start,
    stop,
    [Symbol.asyncDispose]: stop,
    register(request) {
      const judged = checkRegistration(request, resolved)
      if ('fault' in judged) throw new TypeError(judged.fault.message)
      const webhook = add(judged.request)
      if (webhook === undefined) throw new Error(tooManyWebhooks(resolved.maxWebhooks))
      return webhook
    },
    webhooks: () => registry.all().map(({ shown }) => ({ ...shown, events: [...shown.events] })),
    emit,
    run: async (scenario, options = {}) =>
      runScenario(
        scenario,
        options,
        ({ event, data, instanceId }) => emit(event, data, { instanceId }),
        running().end.signal,
      ),
    deliveries: () => reports.map(snapshot),
    on: listeners.on,
  }
}
