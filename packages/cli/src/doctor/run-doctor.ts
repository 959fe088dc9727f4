import { isLoopback } from '@webhook-receiver/emulator/internal'
import { type CommandContext, UsageError } from '../console/index.ts'
import { type ChosenScheme, CONTRACT, receiverUrl } from '../options/index.ts'
import { ProbeClient } from './client.ts'
import { type FaultGroup, groupFailures } from './groups.ts'
import { makeObserver, type Observer } from './observer.ts'
import type { ProbeResult } from './probe.ts'
import { PROBE_EVENT, probesFor } from './probes/index.ts'
import { type MakeRequest, probeRequest } from './request.ts'
import { type RunProbesOptions, runProbes } from './run-probes.ts'

export interface DoctorOptions extends Omit<RunProbesOptions, 'observe'> {
  readonly url: string
  readonly secret: string
  /** @default the contract */
  readonly chosen?: ChosenScheme | undefined
  /** @default an event that triggers nothing */
  readonly event?: string | undefined
  /** What `data.data` of each delivery holds; with another scheme the body. @default something made up for the event */
  readonly data?: Readonly<Record<string, unknown>> | undefined
  /** A command with {id} in it, or a URL, that returns how often a delivery was handled. */
  readonly observe?: string | undefined
  /** The environment of that command. It should hold no secret. @default an empty one */
  readonly observerEnv?: CommandContext['env'] | undefined
  /** How long a response may take, in seconds. @default 10 */
  readonly timeout?: number
  /** The size of a body that the receiver should reject, in bytes. @default 10 MiB */
  readonly oversize?: number
  /** Lets a receiver be examined that is not on this machine. @default false */
  readonly yes?: boolean | undefined
}

/** The result of a run. */
export interface Report {
  readonly url: string
  readonly event: string
  /** The name of the service for people. */
  readonly service: string
  /** How long it took. */
  readonly seconds: number
  /** Whether an observer counted the runs of the handler. */
  readonly observed: boolean
  readonly results: readonly ProbeResult[]
  readonly faults: readonly FaultGroup[]
  /** What the service's own package accepts as well, which is named below `package`. */
  readonly notes: readonly FaultGroup[]
  readonly package: string | undefined
}

export const DOCTOR_DEFAULTS = { timeout: 10, oversize: 10_485_760 } as const

/**
 * Examines a running receiver.
 *
 * @throws UsageError where an option is wrong, or the observer does not respond.
 * @throws Interrupted where the signal is aborted.
 */
export async function runDoctor(options: DoctorOptions): Promise<Report> {
  const { url, secret, chosen = CONTRACT, event = PROBE_EVENT, signal, onProgress } = options
  const receiver = receiverUrl(url)
  if (!isLoopback(receiver.hostname) && options.yes !== true) {
    throw new UsageError(
      `${receiver.host} is not this machine. The doctor sends forged requests and large bodies: add --yes if the receiver is yours.`,
    )
  }
  if (event === '') throw new UsageError('--event should name an event.')
  const { timeout, oversize } = { ...DOCTOR_DEFAULTS, ...options }
  if (options.observe !== undefined && !chosen.scheme.hasId) {
    throw new UsageError(`Leave out --observe: the deliveries of ${chosen.scheme.name} have no id.`)
  }
  const observe = await observerOf(options)
  const { data } = options
  const settings = {
    ...chosen,
    url: receiver,
    secret,
    event,
    data,
    oversize,
    now: () => Date.now(),
  }
  const make: MakeRequest = (variant) => probeRequest(settings, variant)
  const client = new ProbeClient(receiver, make, timeout * 1000, chosen.scheme.idHeader)
  const probes = probesFor(chosen.scheme, oversize)
  const since = performance.now()
  const { serviceFile } = await import('@webhook-receiver/schemes/services')
  const { accepts = [], package: sdk } = serviceFile(chosen.scheme.name)?.sdk ?? {}
  const all = await runProbes(client, probes, { observe, signal, onProgress })
  const isNote = ({ id, verdict }: ProbeResult) => verdict === 'failed' && accepts.includes(id)
  const results = all.map((one): ProbeResult => {
    const note = `accepted, as by the package ${sdk}`
    return isNote(one) ? { ...one, verdict: 'passed', problems: [], note } : one
  })
  const { title, events, name, tolerance } = chosen.scheme
  const service = title ?? (events ? 'the default format' : name)
  const window = `${service}: ${tolerance % 60 === 0 ? `${tolerance / 60} minutes` : `${tolerance} s`}`
  const faults = groupFailures(results).map((one) => ({
    ...one,
    fix: one.fix.replace('{window}', window),
  }))
  const seconds = (performance.now() - since) / 1000
  const observed = observe !== undefined
  const notes = groupFailures(all.filter(isNote))
  return { url, event, service, seconds, observed, results, faults, notes, package: sdk }
}

/** An observer that works: for an id that was never sent it returns 0. */
async function observerOf({
  observe: target,
  observerEnv = {},
}: DoctorOptions): Promise<Observer | undefined> {
  if (target === undefined) return undefined
  const observe = makeObserver(target, observerEnv)
  const never = await observe(crypto.randomUUID()).catch((error: Error) => {
    throw new UsageError(error.message)
  })
  if (never === 0) return observe
  throw new UsageError(
    `--observe reports ${never} runs for an id that was never sent: it should count the runs of one delivery only.`,
  )
}
