import type { Fault } from '../faults.ts'
import type { Probe, Runs } from '../probe.ts'
import described from '../probes.json' with { type: 'json' }
import { connectionProbes } from './connection.ts'
import { rejectedProbes } from './rejected.ts'
import { repetitionProbes } from './repetition.ts'
import { validProbes } from './valid.ts'

const RUNS: Runs = {
  ...validProbes,
  ...rejectedProbes,
  ...repetitionProbes,
  ...connectionProbes,
}

/** All probes, in the order in which they are sent. The first one tells whether there is any response. */
export const PROBES: readonly Probe[] = Object.entries(described as unknown as Described).flatMap(
  ([group, probes]) =>
    Object.entries(probes).flatMap(([id, [sends, fault]]) => {
      const run = RUNS[id]
      return run ? [{ id, group: group as Probe['group'], sends, fault, run }] : []
    }),
)

/** What is sent, in a few words, and the fault to report, by the id of the probe, in groups. Only people read it, so it is in JSON. */
type Described = Readonly<
  Record<Probe['group'], Readonly<Record<string, readonly [sends: string, fault: Fault]>>>
>
