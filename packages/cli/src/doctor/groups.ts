import { FAULTS, type Fault } from './faults.ts'
import type { ProbeResult } from './probe.ts'
import { RULES } from './rules.ts'

/** One thing that is wrong, with all the probes that failed because of it. */
export interface FaultGroup {
  readonly fault: Fault
  readonly cause: string
  readonly fix: string
  readonly probes: readonly string[]
}

/**
 * Groups the failures that have the same cause into one. Each rule takes the failures that it explains;
 * each remaining failure is grouped by its own fault.
 */
export function groupFailures(results: readonly ProbeResult[]): FaultGroup[] {
  let left = results.filter(({ verdict }) => verdict === 'failed')
  const groups = new Map<Fault, string[]>()
  const take = (fault: Fault, taken: readonly ProbeResult[]) => {
    const ids = taken.map(({ id }) => id)
    if (ids.length > 0) groups.set(fault, [...(groups.get(fault) ?? []), ...ids])
    left = left.filter((result) => !taken.includes(result))
  }
  for (const rule of RULES) {
    const found = rule(left, results)
    if (found !== undefined) take(found.fault, found.explains)
  }
  for (const result of left) take(result.fault, [result])
  return [...groups].map(([fault, probes]) => ({ ...causeOf(fault), probes }))
}

/** What is known of a fault. */
export function causeOf(fault: Fault): Omit<FaultGroup, 'probes'> {
  const [cause = '', fix = ''] = FAULTS[fault]
  return { fault, cause, fix }
}
