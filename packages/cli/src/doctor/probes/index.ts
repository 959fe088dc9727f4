import type { Probe } from '../probe.ts'
import { alteredProbes } from './altered.ts'
import { connectionProbes } from './connection.ts'
import { forgedProbes } from './forged.ts'
import { genuineProbes } from './genuine.ts'
import { refusalProbes } from './refusal.ts'
import { repetitionProbes } from './repetition.ts'
import { sizeProbes } from './size.ts'
import { timeProbes } from './time.ts'

export { PROBE_EVENT } from './genuine.ts'

/** All probes, in the order in which they are sent. The first one tells whether anything answers. */
export const PROBES: readonly Probe[] = [
  ...genuineProbes,
  ...forgedProbes,
  ...alteredProbes,
  ...timeProbes,
  ...sizeProbes,
  ...refusalProbes,
  ...repetitionProbes,
  ...connectionProbes,
]
