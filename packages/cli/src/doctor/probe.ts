import type { Bench } from './bench.ts'
import type { Fault } from './faults.ts'

export type Group = 'genuine' | 'forged' | 'time' | 'size' | 'refusal' | 'repetition' | 'connection'

/** One question to a receiver. */
export interface Probe {
  readonly id: string
  readonly group: Group
  /** What is sent, in a few words. */
  readonly sends: string
  /** Which answer is right, in a few words. */
  readonly expects: string
  /** What is wrong where it fails and nothing else explains it. */
  readonly fault: Fault
  run(bench: Bench): Promise<Finding>
}

/** What a probe saw. */
export interface Finding {
  /** A status for each request, or why there is none. */
  readonly observed: readonly string[]
  /** One sentence for each thing that is wrong. */
  readonly problems: readonly string[]
  /** What is wrong, where the answers say it better than the probe. */
  readonly fault?: Fault
  /** What should come of the deliveries that were sent. */
  readonly effects: readonly Effect[]
  /** Whether effects decide this probe, and right answers are not enough. */
  readonly needsEffects?: boolean
}

/** A probe and what it saw; nothing where it was not sent. */
export interface Sent {
  readonly probe: Probe
  readonly finding?: Finding
}

export interface Effect {
  readonly id: string
  /** How often the handler should run. */
  readonly runs: number
  /** What is wrong where it runs more or less often. */
  readonly more: Fault
  readonly less: Fault
}

export type Verdict = 'passed' | 'failed' | 'not observable' | 'skipped'

/** What came of one probe. */
export interface ProbeResult {
  readonly probe: Probe
  readonly verdict: Verdict
  readonly observed: readonly string[]
  readonly problems: readonly string[]
  readonly fault: Fault
  /** Why it is not observable, or was skipped. */
  readonly note?: string
}
