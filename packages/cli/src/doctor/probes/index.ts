import type { Probe } from '../probe.ts'
import { connectionProbes } from './connection.ts'
import { rejectedProbes } from './rejected.ts'
import { repetitionProbes } from './repetition.ts'
import { validProbes } from './valid.ts'

export { schemeProbes } from './scheme.ts'
export { PROBE_EVENT } from './valid.ts'

/** All probes, in the order in which they are sent. The first one tells whether there is any response. */
export const PROBES: readonly Probe[] = [
  ...validProbes,
  ...rejectedProbes,
  ...repetitionProbes,
  ...connectionProbes,
]
