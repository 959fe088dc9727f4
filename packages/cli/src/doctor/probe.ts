import type { ProbeClient } from './client.ts'
import type { Fault } from './faults.ts'

/** What a probe is about. */
interface Description {
  readonly id: string
  readonly group: 'valid' | 'forged' | 'time' | 'size' | 'invalid' | 'repetition' | 'connection'
  /** What is sent, in a few words. */
  readonly sends: string
  /** The fault to report if it fails and nothing else explains that. */
  readonly fault: Fault
}

/** One or more requests to a receiver, and how it should respond to them. */
export interface Probe extends Description {
  run(client: ProbeClient): Promise<Observation>
}

/** What probes send, by their ids. */
export type Runs = Readonly<Record<string, Probe['run']>>

/** What a probe observed. */
export interface Observation {
  /** A status for each request, or why there is none. */
  readonly observed: readonly string[]
  /** One sentence for each thing that is wrong. */
  readonly problems: readonly string[]
  /** The body of the first response. */
  readonly said?: string | undefined
  /** The fault, if the responses show it more exactly than the probe. */
  readonly fault?: Fault | undefined
  /** How often the handler should run for each delivery that was sent. */
  readonly effects: readonly Effect[]
  /** Whether effects decide this probe, and right responses are not enough. */
  readonly needsEffects?: boolean
}

export interface Effect {
  readonly id: string
  /** How often the handler should run. */
  readonly runs: number
  /** The fault if it runs more or less often. */
  readonly faultIfMore: Fault
  readonly faultIfLess: Fault
}

/** The result of one probe. */
export interface ProbeResult extends Description {
  readonly verdict: 'passed' | 'failed' | 'not_observable' | 'skipped'
  readonly observed: readonly string[]
  readonly problems: readonly string[]
  /** The beginning of the first response's body, if the probe failed. */
  readonly said?: string | undefined
  /** Why it is not observable, or was skipped. */
  readonly note?: string
}

/** How many results there are of each verdict. */
export function countByVerdict(
  results: readonly ProbeResult[],
): Readonly<Record<ProbeResult['verdict'], number>> {
  const counts = { passed: 0, failed: 0, not_observable: 0, skipped: 0 }
  for (const { verdict } of results) counts[verdict]++
  return counts
}
