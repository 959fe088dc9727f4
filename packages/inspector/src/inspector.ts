import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Scheme } from '@webhook-receiver/core'
import { contract, type Secrets } from '@webhook-receiver/core/internal'
import type { Emulator } from '@webhook-receiver/emulator'
import {
  listen,
  listens,
  type NamedTampering,
  type ReceivedResponse,
  type RunningServer,
} from '@webhook-receiver/emulator/internal'
import { createCauses } from './cause.ts'
import { createEventStream } from './event-stream.ts'
import { createJournal, type JournalCounts, pack, type WireRequest } from './journal.ts'
import { type ChosenReply, chosenReply, type Reply } from './reply.ts'
import { requestHandler } from './request-handler.ts'
import { createSender } from './sender.ts'
import { createService } from './service.ts'
import { makeTarget, type Target, type TargetView, targetView } from './targets.ts'
import { verdictOf } from './verification.ts'
import { watchEmulator } from './watch.ts'

export interface InspectorOptions {
  /** How many deliveries are kept. @default 10_000 */
  readonly history?: number
  /** How many bytes they take at most; the oldest go first. @default 33_554_432 */
  readonly maxBytes?: number
  /** How long to wait for the response to a request of the page, in seconds. @default 10 */
  readonly timeout?: number
  /** How the service signs. @default the contract */
  readonly scheme?: Scheme | undefined
  /** The origin of the URL that the service was given, if its scheme signs the URL. */
  readonly publicUrl?: string | undefined
  /** The accepted difference between timestamp and clock, in seconds, for the verdicts. @default that of the scheme */
  readonly tolerance?: number | undefined
  /** The largest body that the verdicts accept, in bytes. @default that of the scheme */
  readonly limit?: number | undefined
  /** The API key of the service, which is often used as the secret by mistake: a diagnosis tries it. */
  readonly apiKey?: string | undefined
  /** Whether it belongs to a server of ours, whose response the page may choose. @default false */
  readonly replies?: boolean
  /** The URL of the server that requests are forwarded to: then their responses are those of that server. */
  readonly forwardsTo?: string | undefined
  /** The command that serves the page, to start it again. */
  readonly command?: string | undefined
  /** The clock: milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** A request that a server of yours has responded to. */
interface ReceivedRequest extends WireRequest {
  /** When it came: milliseconds since the epoch. */
  readonly at: number
  /** The status of the response; `undefined` if there was none. */
  readonly status: number | undefined
  /** How long that took, in milliseconds. */
  readonly duration: number
  /** What is known of the response besides; without a status, why there is none. */
  readonly response?: Partial<Pick<ReceivedResponse, 'headers' | 'body' | 'error'>> | undefined
  /** Why it was rejected before its body was read, which is then empty. */
  readonly rejection?: { readonly status: number; readonly reason: string; readonly detail: string }
}

/** A page that shows deliveries, and what feeds it. */
export interface Inspector {
  /** Serves the page on 127.0.0.1. Resolves to its address, with its token. */
  start(): Promise<string>
  /** Ends the server, the requests of the page and the connections to it. */
  stop(): Promise<void>
  /** What `start` serves, and at which path. */
  readonly handler: RequestListener
  readonly path: string
  /** Makes a receiver known, to send to. Its secret (or private key) signs and verifies, and never reaches the page. Given `id`, replaces that one. */
  readonly addTarget: (target: {
    readonly url: string
    readonly secret?: Exclude<Secrets, undefined> | undefined
    readonly id?: string
    /** The command that starts it, where nothing listens yet. */
    readonly start?: string | undefined
  }) => Target
  /** Shows what an emulator sends from now on. */
  watch(emulator: Emulator<string>): void
  /** Shows a request to a server of yours. `target` has the secret to verify it with. */
  received(request: ReceivedRequest, target: Target): Promise<void>
  /** What the page wants a verified delivery to get now. */
  reply(): ChosenReply
}

/** What the page knows besides the deliveries. */
export interface State {
  readonly counts: JournalCounts
  readonly targets: readonly TargetView[]
  /** `null` where the server is not ours. */
  readonly reply: Reply | null
  /** The server that requests are forwarded to; `null` where that of the page itself responds. */
  readonly forwardsTo: string | null
  /** Whether the deliveries come from an emulator. */
  readonly emulates: boolean
  /** What starts the command of the page again. */
  readonly command?: string | undefined
  /** What `--scheme` names; absent for the default. */
  readonly service?: string | undefined
  readonly hasEvent: boolean
  readonly events: readonly string[]
  readonly tamperings: readonly NamedTampering[]
}

/** Creates an inspector: a local web UI with every delivery, what was signed, and what came back. */
export function createInspector(given: InspectorOptions = {}): Inspector {
  const options = {
    ...{ history: 10_000, maxBytes: 33_554_432, timeout: 10 },
    ...{ replies: false, now: () => Date.now() },
    ...given,
  }
  const token = randomBytes(24).toString('base64url')
  const { scheme = contract, publicUrl } = options
  const service = createService(scheme, publicUrl)
  const targets = new Map<string, Target>()
  const journal = createJournal(options, () => stream.wake())
  const explainRow = createCauses(journal, { ...options, scheme })
  const sender = createSender(journal, targets, service, options)
  let server: RunningServer | undefined
  let reply: Reply = 'normal'
  let emulates = false
  const stream = createEventStream(
    journal,
    (): State => ({
      counts: journal.counts(),
      targets: [...targets.values()].map(targetView),
      reply: options.replies ? reply : null,
      forwardsTo: options.forwardsTo ?? null,
      emulates,
      command: options.command,
      service: service.option,
      hasEvent: service.hasEvent,
      events: service.events,
      tamperings: service.tamperings,
    }),
  )
  const path = `/${token}/`
  const { now } = options
  const handler = requestHandler({
    ...{ token, now, journal, targets, service, stream, sender },
    rules: options,
    isReady: async () => {
      const { forwardsTo } = options
      const url = forwardsTo ? new URL(forwardsTo) : [...targets.values()].at(-1)?.url
      return url !== undefined && listens(url)
    },
    setReply(chosen) {
      reply = chosen
      stream.wake()
    },
  })

  return {
    async start() {
      server = await listen(handler, '127.0.0.1', 0)
      return `${server.url}${path}`
    },
    async stop() {
      sender.stop()
      stream.close()
      await server?.close()
    },
    handler,
    path,
    addTarget({ id, url, secret, start }) {
      const target = { ...makeTarget(url, secret, id, options), start }
      targets.set(target.id, target)
      stream.wake()
      return target
    },
    watch(emulator) {
      emulates = true
      watchEmulator(emulator, journal, targets, options)
    },
    reply: () => chosenReply(reply),
    async received(
      { at, status, duration, response, rejection, ...request },
      { id: target, secrets },
    ) {
      if (sender.isOwn(request, target)) return
      const { id = '', event = '' } = service.facts(request)
      const about = { at, event, id, target, note: undefined }
      const delivery = journal.add({ origin: 'received', ...about })
      const attempt = journal.addAttempt(delivery, request, at)
      attempt.verdict = rejection
        ? { valid: false, ...rejection }
        : await verdictOf(request, secrets, at, options)
      const error = status === undefined ? 'the sender disconnected' : undefined
      attempt.response = pack({ status, headers: [], body: '', error, ...response, duration })
      delivery.outcome = status !== undefined && status < 300 ? 'delivered' : 'rejected'
      explainRow(delivery, attempt, secrets)
      journal.changed(delivery)
    },
  }
}
