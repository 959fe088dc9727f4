import type { Fault } from './faults.ts'
import type { ProbeClient } from './probe-client.ts'

export type Group = 'genuine' | 'forged' | 'time' | 'size' | 'refusal' | 'repetition' | 'connection'

/** One or more requests to a receiver, and how it should answer them. */
export interface Probe {
  readonly id: string
  readonly group: Group
  /** What is sent, in a few words. */
  readonly sends: string
  /** Which answer is right, in a few words. */
  readonly expects: string
  /** The fault to report if it fails and nothing else explains that. */
  readonly fault: Fault
  run(client: ProbeClient): Promise<Finding>
}

/** What a probe observed. */
export interface Finding {
  /** A status for each request, or why there is none. */
  readonly observed: readonly string[]
  /** One sentence for each thing that is wrong. */
  readonly problems: readonly string[]
  /** The fault, if the answers show it more exactly than the probe. */
  readonly fault?: Fault
  /** How often the handler should run for each delivery that was sent. */
  readonly effects: readonly Effect[]
  /** Whether effects decide this probe, and right answers are not enough. */
  readonly needsEffects?: boolean
}

/** A probe and its finding; no finding if it was not sent. */
export interface Sent {
  readonly probe: Probe
  readonly finding?: Finding
}

export interface Effect {
  readonly id: string
  /** How often the handler should run. */
  readonly runs: number
  /** The fault if it runs more or less often. */
  readonly faultIfMore: Fault
  readonly faultIfLess: Fault
}

export type Verdict = 'passed' | 'failed' | 'not observable' | 'skipped'

/** The result of one probe. */
export interface ProbeResult {
  readonly probe: Probe
  readonly verdict: Verdict
  readonly observed: readonly string[]
  readonly problems: readonly string[]
  readonly fault: Fault
  /** Why it is not observable, or was skipped. */
  readonly note?: string
}
