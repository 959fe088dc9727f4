import type { VectorCase, Vectors } from '../vectors.ts'
import { outcomeProblems } from '../wire/outcome.ts'
import { type Observed, play } from '../wire/play.ts'
import type { StartAdapter } from './adapter.ts'
import { deliverOnce } from './deliver-once.ts'
import { openTarget, type Target } from './target.ts'

export interface RunOptions {
  /**
   * Whether to run only one case of each group and expected outcome. For another mount, platform or form of event of an adapter
   * whose cases are all run elsewhere.
   * @default false
   */
  readonly sample?: boolean
  /**
   * Whether to run the cases that hold only with a store behind the receiver, too.
   * @default false
   */
  readonly store?: boolean
  /**
   * By the id of a case, what is seen instead of what it expects, because of something in front of the receiver.
   * @default none
   */
  readonly deviations?: Readonly<Record<string, Deviation>>
}

/** An outcome that a receiver cannot change. A run is wrong where another is seen, the expected one included. */
export interface Deviation {
  readonly saw: string
  readonly handlerRuns: number
  readonly why: string
}

/** The result of one case. */
export interface CaseResult {
  readonly id: string
  readonly observed: readonly Observed[]
  readonly handlerRuns: number
  /** How often the handler should have run; null where the case does not say. */
  readonly handlerRunsExpected: number | null
  /** One sentence for each thing that is wrong. */
  readonly problems: readonly string[]
}

/** The cases of a file that can be run this way. */
export function runnableCases(vectors: Vectors, options: RunOptions = {}): VectorCase[] {
  const { store = false, deviations = {}, sample = false } = options
  return (sample ? sampleOf(vectors.cases) : vectors.cases)
    .filter((vector) => store || !vector.needs_store)
    .map((vector) => withDeviation(vector, deviations[vector.id]))
}

/** One case of each group and preferred outcome, and all that need a store. */
function sampleOf(cases: readonly VectorCase[]): readonly VectorCase[] {
  const kinds = new Set<string>()
  return cases.filter(({ needs_store, group, expect }) => {
    const kind = `${group} ${expect[0]}`
    if (!needs_store && kinds.has(kind)) return false
    kinds.add(kind)
    return true
  })
}

function withDeviation(vector: VectorCase, deviation: Deviation | undefined): VectorCase {
  if (deviation === undefined) return vector
  const { saw, handlerRuns, why } = deviation
  // Where no response is expected, one second shows as much as four.
  const send = saw === 'timeout' ? { ...vector.send, max_seconds: 1 } : vector.send
  return { ...vector, ...(send && { send }), expect: [saw], handler_calls: handlerRuns, why }
}

/** Runs one case. Cases of one target run one after the other, or their handler runs mix. */
export async function runCase(target: Target, vector: VectorCase): Promise<CaseResult> {
  const { adapter, application, vectors } = target
  const before = application.take()
  const problems =
    before.runs > 0 ? [`the handler ran ${before.runs} times after its case had ended`] : []
  const observed = await play(vector, adapter.port)
  problems.push(...outcomeProblems(vector, observed))
  const afterwards = mayBreakReceiver(vector, observed) ? 1 : 0
  if (afterwards > 0) {
    const outcome = await deliverOnce(vectors, adapter.port)
    if (outcome[0] !== '2') problems.push(`a delivery afterwards: observed ${outcome}`)
  }
  const { runs, faults } = application.take()
  problems.push(...faults)
  const handlerRuns = runs - afterwards
  const handlerRunsExpected = vector.handler_calls ?? vector.processed ?? null
  if (handlerRunsExpected !== null && handlerRuns !== handlerRunsExpected) {
    problems.push(`expected ${handlerRunsExpected} handler runs, observed ${handlerRuns}`)
  }
  return { id: vector.id, observed, handlerRuns, handlerRunsExpected, problems }
}

/** Starts an adapter, runs every case of a file and stops the adapter. */
export async function runVectors(
  start: StartAdapter,
  vectors: Vectors,
  options: RunOptions = {},
): Promise<CaseResult[]> {
  const target = await openTarget(start, vectors)
  const results: CaseResult[] = []
  try {
    for (const vector of runnableCases(vectors, options)) {
      results.push(await runCase(target, vector))
    }
  } finally {
    await target.adapter.close()
  }
  return results
}

/** A case after which a receiver might be left in a bad state. */
function mayBreakReceiver(vector: VectorCase, observed: readonly Observed[]): boolean {
  return (
    vector.raw_base64 !== undefined ||
    vector.send !== undefined ||
    observed.some(({ outcome }) => !/^[24]/.test(outcome) || outcome === '413')
  )
}
