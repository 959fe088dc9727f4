import type { Scheme } from '@webhook-receiver/core'
import { isLoopback, receiverSecret } from '@webhook-receiver/emulator/internal'
import { titleOf } from '@webhook-receiver/inspector/other-services'
import { namesOf, schemeValueOf, signedBy } from '@webhook-receiver/schemes/neighbours'
import { type CommandContext, UsageError } from '../console/index.ts'
import {
  allSchemes,
  type ChosenScheme,
  CONTRACT,
  fingerprintOf,
  receiverUrl,
} from '../options/index.ts'
import { ProbeClient } from './client.ts'
import { causeOf, type FaultGroup, groupFailures } from './groups.ts'
import { workingObserver } from './observer.ts'
import type { ProbeResult } from './probe.ts'
import { acceptedMistake } from './probes/accepted-mistake.ts'
import { leftOut, PROBE_EVENT, probesFor } from './probes/index.ts'
import { type MakeRequests, type ProbeSettings, probeRequests } from './request.ts'
import { type RunProbesOptions, runProbes } from './run-probes.ts'
import { isNote, wordsFor } from './words.ts'

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
  /** Called when the options are right, before anything is sent. */
  readonly onStart?: (() => void) | undefined
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
  /** What is no fault: nobody without the secret can make use of it, or the service's own package does so too. */
  readonly notes: readonly Note[]
  /** What was not checked of this service, and why. */
  readonly left: readonly string[]
}

interface Note extends FaultGroup {
  /** The service's own package, which does so too. */
  readonly package?: string | undefined
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
    throw new UsageError(
      `Leave out --observe: the deliveries of ${titleOf(chosen.scheme)} have no id.`,
    )
  }
  const observe =
    options.observe === undefined
      ? undefined
      : await workingObserver(options.observe, options.observerEnv ?? {})
  const { data } = options
  const [{ serviceFile }, schemes] = await Promise.all([
    import('@webhook-receiver/schemes/services'),
    allSchemes(),
  ])
  const scheme = signedBy(chosen.scheme, secret)
  const isPublic = scheme !== chosen.scheme
  const shared = isPublic
    ? schemeValueOf(chosen.scheme)?.keys.find(({ algorithm }) => algorithm.startsWith('hmac'))
    : undefined
  const settings: ProbeSettings = {
    ...{ ...chosen, scheme, url: receiver, secret, event, data, oversize, shared },
    now: () => Date.now(),
    otherHeaders: signatureHeaders([...schemes.map((one) => one.scheme), CONTRACT.scheme]),
  }
  options.onStart?.()
  const makeAll: MakeRequests = (variants) => probeRequests(settings, variants)
  const client = new ProbeClient(receiver, makeAll, timeout * 1000, scheme.idHeader)
  const probes = probesFor(scheme, oversize, shared)
  const since = performance.now()
  const { accepts = [], package: sdk } = serviceFile(scheme.name)?.sdk ?? {}
  const found = await runProbes(client, probes, { observe, signal, onProgress })
  const groups = groupFailures(found)
  // A receiver that verifies nothing fails these probes too, and others, so the package is no excuse for it.
  const isByPackage = ({ probes: ids }: FaultGroup) => ids.every((id) => accepts.includes(id))
  const value = schemeValueOf(scheme)
  const [first] = groups
  const mistake =
    value && first?.fault === 'wrong-secret'
      ? await acceptedMistake(client, value, secret, signal)
      : undefined
  const worded = wordsFor(scheme, fingerprintOf(receiverSecret(chosen.scheme, secret)), mistake)
  const faults = groups.filter((one) => !isByPackage(one) && !isNote(one.fault, scheme))
  const notes = groups
    .filter((one) => !faults.includes(one))
    .map((one): Note => (isByPackage(one) ? { ...one, package: sdk } : one))
  const noted = notes.flatMap((note) => note.probes)
  const results = found.map(
    (one): ProbeResult =>
      noted.includes(one.id)
        ? { ...one, verdict: 'passed', problems: [], note: 'not as the service does: see the note' }
        : one,
  )
  return {
    ...{ url, event, results, observed: observe !== undefined },
    service: titleOf(scheme),
    seconds: (performance.now() - since) / 1000,
    faults: faults.map((one) =>
      worded(one === first && mistake ? { ...one, ...causeOf('verifies-otherwise') } : one),
    ),
    notes: notes.map(worded),
    left: leftOut(scheme, probes),
  }
}

function signatureHeaders(schemes: readonly Scheme[]): readonly string[] {
  const values = schemes.map(schemeValueOf).filter((value) => value !== undefined)
  return [...new Set(values.flatMap(({ signature }) => namesOf(signature)))]
}
