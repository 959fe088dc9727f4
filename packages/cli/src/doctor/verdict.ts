import type { Fault } from './faults.ts'
import type { Effect, Group, ProbeResult, Sent } from './probe.ts'

/** What is known besides the answers to a probe. */
export interface Evidence {
  /** How often the handler ran, by id; nothing where nobody tells. */
  readonly counts: ReadonlyMap<string, number> | undefined
  /** Whether the receiver accepts the plainest genuine delivery. */
  readonly accepts: boolean
}

/** Groups in which a refusal proves nothing of a receiver that refuses everything. */
const REFUSALS: readonly Group[] = ['forged', 'time', 'refusal']

export function verdict({ probe, finding }: Sent, { counts, accepts }: Evidence): ProbeResult {
  const { fault = probe.fault, observed = [], problems = [], effects = [] } = finding ?? {}
  const result = { probe, observed, problems, fault }
  if (finding === undefined) {
    return { ...result, verdict: 'skipped', note: 'the receiver does not answer' }
  }
  if (problems.length > 0) return { ...result, verdict: 'failed' }
  const wrong = counts && effects.flatMap((effect) => misjudged(effect, counts.get(effect.id) ?? 0))
  const [first] = wrong ?? []
  if (wrong !== undefined && first !== undefined) {
    const told = wrong.map(({ problem }) => problem)
    return { ...result, verdict: 'failed', problems: told, fault: first.fault }
  }
  if (!accepts && REFUSALS.includes(probe.group)) {
    const note = 'nothing genuine is accepted, so that a refusal proves nothing'
    return { ...result, verdict: 'not observable', note }
  }
  if (counts === undefined && finding.needsEffects === true) {
    const note = 'the answers are right; --observe tells how often the handler ran'
    return { ...result, verdict: 'not observable', note }
  }
  return { ...result, verdict: 'passed' }
}

function misjudged(effect: Effect, runs: number): { problem: string; fault: Fault }[] {
  if (runs === effect.runs) return []
  const problem = `the handler should have run ${times(effect.runs)}, and ran ${times(runs)}`
  return [{ problem, fault: runs > effect.runs ? effect.more : effect.less }]
}

function times(count: number): string {
  return count === 0 ? 'not at all' : count === 1 ? 'once' : `${count} times`
}
