import type { Fault } from './faults.ts'
import type { Effect, Group, ProbeResult, Sent } from './probe.ts'

/** What was observed besides the answers to a probe. */
export interface Observations {
  /** How often the handler ran, by id; undefined without an observer. */
  readonly counts: ReadonlyMap<string, number> | undefined
  /** Whether the receiver accepts the plainest genuine delivery. */
  readonly accepts: boolean
}

/** Groups in which a refusal proves nothing if the receiver refuses everything. */
const REFUSALS: readonly Group[] = ['forged', 'time', 'refusal']

export function probeResult(
  { probe, finding }: Sent,
  { counts, accepts }: Observations,
): ProbeResult {
  const { fault = probe.fault, observed = [], problems = [], effects = [] } = finding ?? {}
  const result = { probe, observed, problems, fault }
  if (finding === undefined) {
    return { ...result, verdict: 'skipped', note: 'the receiver does not answer' }
  }
  if (problems.length > 0) return { ...result, verdict: 'failed' }
  const wrong =
    counts && effects.flatMap((effect) => effectProblems(effect, counts.get(effect.id) ?? 0))
  const [first] = wrong ?? []
  if (wrong !== undefined && first !== undefined) {
    const problems = wrong.map(({ problem }) => problem)
    return { ...result, verdict: 'failed', problems, fault: first.fault }
  }
  if (!accepts && REFUSALS.includes(probe.group)) {
    const note = 'the receiver accepts no genuine delivery, so a rejection proves nothing'
    return { ...result, verdict: 'not observable', note }
  }
  if (counts === undefined && finding.needsEffects === true) {
    const note = 'the answers are right, but only --observe can show how often the handler ran'
    return { ...result, verdict: 'not observable', note }
  }
  return { ...result, verdict: 'passed' }
}

function effectProblems(effect: Effect, runs: number): { problem: string; fault: Fault }[] {
  if (runs === effect.runs) return []
  const problem = `expected the handler to run ${times(effect.runs)}, but it ran ${times(runs)}`
  return [{ problem, fault: runs > effect.runs ? effect.faultIfMore : effect.faultIfLess }]
}

function times(count: number): string {
  return count === 0 ? 'not at all' : count === 1 ? 'once' : `${count} times`
}
