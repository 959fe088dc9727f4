import { setMaxListeners } from 'node:events'
import type { WebhookEvent } from '@webhook-receiver/core'
import { printError } from '@webhook-receiver/core/internal'
import { deliver } from './deliveries/deliver.ts'
import { newDeliveryId } from './deliveries/delivery-id.ts'
import { createListeners, type Listeners } from './deliveries/listeners.ts'
import { type DeliveryReport, type OpenReport, openReport, snapshot } from './deliveries/report.ts'
import { checkedEmission, type Emission, type EmitOptions } from './emission.ts'
import { planFault, seededRandom } from './fault.ts'
import type { EmulatorOptions } from './options.ts'
import { newSecret, receiverSecret } from './request/secret.ts'
import { listen, type RunningServer } from './request/server.ts'
import { resolveOptions } from './resolved-options.ts'
import { type RunOptions, type RunSummary, runScenario } from './scenario/run.ts'
import type { ScenarioStep } from './scenario/scenario.ts'
import { registrationEndpoint } from './webhooks/endpoint.ts'
import { checkRegistration } from './webhooks/registration.ts'
import {
  createRegistry,
  type RegisteredWebhook,
  type RegisteredWebhookWithSecret,
  type RegistrationRequest,
  TOO_MANY_WEBHOOKS,
  type Webhook,
} from './webhooks/registry.ts'

/** How many deliveries `deliveries()` remembers. */
const HISTORY = 10_000

/** The service, on this machine. */
export interface Emulator<ExtraEvent extends string = never> {
  /** The `baseUrl` for a client. Throws if the emulator is not running. */
  readonly baseUrl: string
  /** The API key for registrations: the option `apiKey`, or a random key. */
  readonly apiKey: string
  /** The same seed gives the same faults to the same sequence of deliveries. */
  readonly seed: number
  /** Starts the registration end point. Webhooks are kept when the emulator is stopped and started again. */
  start(): Promise<void>
  /** Stops everything: pending deliveries get the outcome `stopped`. No timer or socket is left. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
  /**
   * Registers a webhook without HTTP. Only this call returns its secret, which is that of the receiver.
   *
   * @throws TypeError for an invalid webhook; Error if there are 100 already.
   */
  register(
    request: RegistrationRequest & {
      /**
       * What signs. Where the service shares no secret, a private key in PEM: the receiver gets its public key.
       * @default a new one
       */
      readonly secret?: string | undefined
    },
  ): RegisteredWebhookWithSecret
  /** The webhooks, without their secrets. One whose receiver responded with 410 (Gone) is no longer among them. */
  webhooks(): readonly RegisteredWebhook[]
  /**
   * Sends a delivery to each webhook that listens to the event, and resolves when each has its outcome.
   * Without `data` the delivery holds a sample.
   */
  emit(
    event: WebhookEvent | ExtraEvent,
    data?: Readonly<Record<string, unknown>>,
    options?: EmitOptions,
  ): Promise<readonly DeliveryReport[]>
  /** Emits the events of a scenario, at a given rate. */
  run(
    scenario:
      | AsyncIterable<ScenarioStep<WebhookEvent | ExtraEvent>>
      | Iterable<ScenarioStep<WebhookEvent | ExtraEvent>>,
    options?: RunOptions,
  ): Promise<RunSummary>
  /** Reports of the last 10,000 deliveries, oldest first. */
  deliveries(): readonly DeliveryReport[]
  /** Calls a listener for each webhook, attempt or delivery; returns a function that removes the listener. */
  readonly on: Listeners['on']
}

/**
 * Creates a local copy of the service: it registers webhooks over HTTP and sends them signed deliveries.
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
  const registry = createRegistry(resolved.now)
  const listeners = createListeners()
  const reports: OpenReport[] = []
  const pending = new Set<Promise<void>>()
  let session: { readonly server: RunningServer; readonly end: AbortController } | undefined
  let starting: Promise<RunningServer> | undefined

  function running(): NonNullable<typeof session> {
    if (session) return session
    throw new Error('The emulator is not running. Call `await emulator.start()` first.')
  }

  function add(
    request: RegistrationRequest,
    given = newSecret(resolved.scheme),
  ): RegisteredWebhookWithSecret | undefined {
    const webhook = registry.add(request, given)
    if (webhook === undefined) return undefined
    const { details, secret } = webhook
    hand({ ...details, secret })
    listeners.notify('webhook', details)
    return { ...details, secret: receiverSecret(resolved.scheme, secret) }
  }

  function hand(webhook: RegisteredWebhookWithSecret): void {
    try {
      resolved.onRegistered?.(webhook)
    } catch (error) {
      printError('[webhook-receiver] onRegistered threw; the webhook is registered.', error)
    }
  }

  async function start(): Promise<void> {
    if (session || starting) throw new Error('The emulator is already running.')
    const endpoint = registrationEndpoint(resolved, (request) => add(request))
    starting = listen(endpoint, resolved.host, resolved.port)
    const end = new AbortController()
    // Every request and every wait adds a listener: more than 10 are not a leak.
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
    { fault, ...emission }: Emission,
    end: AbortSignal,
  ): Promise<DeliveryReport> {
    const { event, data, instanceId } = emission
    const plan = planFault(random, resolved, fault)
    const about = {
      id: newDeliveryId(resolved.scheme),
      event,
      instanceId,
      createdAt: resolved.now(),
    }
    const report = openReport(webhook, about, plan.fault)
    reports.push(report)
    if (reports.length > HISTORY) reports.shift()
    const delivering = deliver(
      { webhook, data, plan, report, position: webhook.order.nextPosition() },
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
      return running().server.url
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
      const checked = checkRegistration(request, resolved.events)
      if ('fault' in checked) throw new TypeError(checked.fault.message)
      const webhook = add(checked.request, request.secret)
      if (webhook === undefined) throw new Error(TOO_MANY_WEBHOOKS)
      return webhook
    },
    webhooks: () =>
      registry.all().map(({ details }) => ({ ...details, events: [...details.events] })),
    emit,
    run: async (scenario, options = {}) =>
      runScenario(
        scenario,
        options,
        ({ event, data, ...step }) => emit(event, data, step),
        running().end.signal,
      ),
    deliveries: () => reports.map(snapshot),
    on: listeners.on,
  }
}
