import { createServer, type RequestListener, type Server } from 'node:http'
import { type Emulator, EVENTS } from '@webhook-receiver/emulator'
import { TAMPERINGS } from '@webhook-receiver/emulator/request'
import { CommandError, PAGE_FAULTS } from './command.ts'
import { type DoctorState, NO_EXAMINATION } from './doctor.ts'
import { createEventStream } from './event-stream.ts'
import type { ReceivedRequest } from './exchange.ts'
import { createJournal } from './journal.ts'
import { type InspectorOptions, resolveOptions } from './options.ts'
import { requestHandler } from './request-handler.ts'
import { runScenario, type ScenarioSettings, type ScenarioState } from './scenario.ts'
import { bodyFacts, createSender } from './sender.ts'
import type { State } from './state.ts'
import { createTargets, signingSecret, type Target, targetView } from './targets.ts'
import { verify } from './verification.ts'
import { watchEmulator } from './watch.ts'

/** A page that shows deliveries, and what feeds it. */
export interface Inspector {
  /** The address of the page, with its token. Throws if `start` was not called. */
  readonly url: string
  /** Serves the page on 127.0.0.1. Resolves to its address. */
  start(): Promise<string>
  /** Ends the server, the requests of the page and the connections to it. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
  /** Serves the page on a server of yours, at `path`. */
  readonly handler: RequestListener
  /** The path of the page for `handler`, with its token. */
  readonly path: string
  /** Makes a receiver known, to send to. Its secret signs and verifies, and never reaches the page. Given `id`, replaces that one. */
  readonly addTarget: (target: Target & { readonly id?: string | undefined }) => void
  /** Shows what an emulator sends from now on, and lets the page run scenarios with it. */
  watch(emulator: Emulator<string>): void
  /** Shows a request that a server of yours answered. `target` has the secret to verify it with. */
  received(request: ReceivedRequest, target: Target): Promise<void>
  /** Sends conversations with the watched emulator, as the page does; resolves at the end. */
  runScenario(settings?: ScenarioSettings): Promise<void>
}

/**
 * Creates an inspector: a page on this machine with every delivery, what was signed, and what came back.
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * const inspector = createInspector()
 * const emulator = createEmulator({ onRegistered: inspector.addTarget })
 * inspector.watch(emulator)
 * console.log(await inspector.start())
 */
export function createInspector(options: InspectorOptions = {}): Inspector {
  const resolved = resolveOptions(options)
  const targets = createTargets()
  const journal = createJournal(resolved, () => stream.wake())
  const sender = createSender(journal, targets, resolved)
  let emulator: Emulator<string> | undefined
  let unwatch: (() => void) | undefined
  let scenario: ScenarioState = { running: false, sent: 0, settings: {} }
  let scenarioEnd = new AbortController()
  let doctor: DoctorState = NO_EXAMINATION
  let doctorEnd = new AbortController()
  let server: Server | undefined
  const state = (): State => ({
    counts: journal.counts(),
    targets: targets.all().map(targetView),
    scenario: emulator ? scenario : null,
    doctor: resolved.doctor ? doctor : null,
    events: EVENTS,
    tamperings: TAMPERINGS,
    faults: PAGE_FAULTS,
  })
  const stream = createEventStream(journal, state)
  const path = `${resolved.basePath}/${resolved.token}/`

  async function startScenario(settings: ScenarioSettings): Promise<void> {
    if (emulator === undefined) throw new CommandError('There is no emulator to run a scenario.')
    if (scenario.running) throw new CommandError('A scenario is running.', 409)
    scenario = { running: true, sent: 0, settings }
    scenarioEnd = new AbortController()
    stream.wake()
    try {
      await runScenario(emulator, settings, scenarioEnd.signal, () => {
        scenario = { ...scenario, sent: scenario.sent + 1 }
        stream.wake()
      })
    } finally {
      scenario = { ...scenario, running: false }
      stream.wake()
    }
  }

  async function examine(id: string): Promise<void> {
    const target = targets.get(id)
    const secret = target && signingSecret(target)
    if (resolved.doctor === undefined) throw new CommandError('This page has no doctor.')
    if (target === undefined || secret === undefined) {
      throw new CommandError('The doctor needs a receiver whose secret is known.')
    }
    if (doctor.running) throw new CommandError('An examination is running.', 409)
    const update = (change: Partial<DoctorState>) => {
      doctor = { ...doctor, ...change }
      stream.wake()
    }
    doctorEnd = new AbortController()
    doctor = NO_EXAMINATION
    update({ running: true, target: id })
    try {
      const { probes, diagnoses } = await resolved.doctor(
        { url: target.url.href, secret },
        { signal: doctorEnd.signal, onProgress: (probes) => update({ probes }) },
      )
      update({ running: false, probes, diagnoses })
    } catch (error) {
      update({ running: false, problem: error instanceof Error ? error.message : String(error) })
    }
  }

  const handler = requestHandler({
    options: resolved,
    journal,
    targets,
    stream,
    sender,
    startScenario,
    stopScenario: () => scenarioEnd.abort(),
    examine,
    stopExamination: () => doctorEnd.abort(),
  })

  async function stop(): Promise<void> {
    const ended = server
    server = undefined
    unwatch?.()
    scenarioEnd.abort()
    doctorEnd.abort()
    sender.stop()
    stream.close()
    await new Promise<void>((resolve) => {
      if (ended === undefined) return resolve()
      ended.close(() => resolve())
      ended.closeAllConnections()
    })
  }

  return {
    get url() {
      const address = server?.address()
      if (typeof address !== 'object' || address === null) {
        throw new Error('The inspector is not running: `await inspector.start()` first.')
      }
      return `http://127.0.0.1:${address.port}${path}`
    },
    async start() {
      if (server) throw new Error('The inspector is already running.')
      server = await listen(createServer(handler), resolved.port)
      return this.url
    },
    stop,
    [Symbol.asyncDispose]: stop,
    handler,
    path,
    addTarget({ id, url, secret }) {
      targets.add({ url, secret }, id)
      stream.wake()
    },
    watch(watched) {
      unwatch?.()
      emulator = watched
      unwatch = watchEmulator(watched, journal, targets, resolved)
      stream.wake()
    },
    async received({ at, status, duration, ...request }, target) {
      const known = targets.add(target)
      const { id = '', event = '', instance = '' } = bodyFacts(request.body)
      const delivery = journal.add({
        origin: 'received',
        at,
        event,
        instance,
        id,
        target: known.id,
        note: undefined,
      })
      const attempt = journal.addAttempt(delivery, request, { at })
      attempt.verdict = await verify(request, known.secrets, at, resolved)
      const error = status === undefined ? 'the sender disconnected' : undefined
      attempt.answer = { status, headers: [], body: '', error, duration }
      delivery.outcome = status !== undefined && status < 300 ? 'delivered' : 'refused'
      journal.changed(delivery)
    },
    runScenario: (settings = {}) => startScenario(settings),
  }
}

function listen(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const advice = 'Is it in use? Use another `port`, or 0 for a free one.'
      reject(new Error(`The inspector cannot listen on port ${port}. ${advice}`, { cause }))
    })
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
