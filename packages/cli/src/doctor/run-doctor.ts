import { sampleDelivery } from '@webhook-receiver/core/testing'
import type { CommandContext } from '../command-context.ts'
import { asUsageError, UsageError } from '../failure.ts'
import { groupFailures } from './failure-groups.ts'
import { makeObserver, type Observer } from './observer.ts'
import type { Probe } from './probe.ts'
import { ProbeClient } from './probe-client.ts'
import { PROBE_EVENT, PROBES } from './probes/index.ts'
import { readReceiverUrl } from './receiver-url.ts'
import type { Report } from './report.ts'
import { type RunProbesOptions, runProbes } from './run-probes.ts'

export interface DoctorOptions {
  readonly url: string
  readonly secret: string
  /** @default an event that triggers nothing */
  readonly event?: string | undefined
  /** What `data.data` of each delivery holds. @default something made up for the event */
  readonly data?: Readonly<Record<string, unknown>> | undefined
  /** A command with {id} in it, or a URL, that returns how often a delivery was handled. */
  readonly observe?: string | undefined
  /** The environment of that command. It should hold no secret. @default an empty one */
  readonly observerEnv?: CommandContext['env'] | undefined
  /** How long an answer may take, in seconds. @default 10 */
  readonly timeout?: number
  /** The size of a body that the receiver should refuse, in bytes. @default 10 MiB */
  readonly oversize?: number
  /** Certificates to trust, in PEM. */
  readonly ca?: readonly string[] | undefined
  /** Lets a receiver be examined that is not on this machine. @default false */
  readonly yes?: boolean | undefined
  /** Ends the examination after the probe that is under way. */
  readonly signal?: AbortSignal | undefined
  /** Called before each probe. */
  readonly onProgress?: ((text: string) => void) | undefined
  /** Called before each probe, and after it. */
  readonly onProbe?: ((probe: Probe) => void) | undefined
  readonly onFinding?: RunProbesOptions['onFinding']
}

export const DOCTOR_DEFAULTS = { timeout: 10, oversize: 10_485_760 } as const

/**
 * Examines a running receiver.
 *
 * @throws UsageError where an option is wrong, or the observer does not answer.
 * @throws Interrupted where the signal is aborted.
 */
export async function runDoctor(options: DoctorOptions): Promise<Report> {
  const { url, secret, event = PROBE_EVENT, onProgress } = options
  const receiver = asUsageError(() => readReceiverUrl(url, options.ca))
  if (!receiver.loopback && options.yes !== true) {
    throw new UsageError(
      `${receiver.authority} is not this machine. The doctor sends forged requests and large bodies: add --yes if the receiver is yours.`,
    )
  }
  if (event === '') throw new UsageError('--event should name an event.')
  const { timeout, oversize } = { ...DOCTOR_DEFAULTS, ...options }
  const observe = await observer(options.observe, options.observerEnv)
  const data = options.data ?? sampleDelivery(event).data.data
  const settings = { secret, event, data, oversize, now: Date.now }
  const results = await runProbes(new ProbeClient(receiver, settings, timeout * 1000), PROBES, {
    observe,
    signal: options.signal,
    onProbe: (probe, index, total) => {
      onProgress?.(`${index + 1}/${total} ${probe.id}`)
      options.onProbe?.(probe)
    },
    onFinding: options.onFinding,
  })
  const diagnoses = groupFailures(results)
  return { url, event, observed: observe !== undefined, results, diagnoses }
}

/** An observer that works: for an id that was never sent it returns 0. */
async function observer(
  target: string | undefined,
  env: CommandContext['env'] = {},
): Promise<Observer | undefined> {
  if (target === undefined) return undefined
  const observe = asUsageError(() => makeObserver(target, env))
  const never = await observe(crypto.randomUUID()).catch((error: Error) => {
    throw new UsageError(error.message)
  })
  if (never === 0) return observe
  throw new UsageError(
    `--observe reports ${never} runs for an id that was never sent: it should count the runs of one delivery only.`,
  )
}
