import type { VectorCase } from '../vectors.ts'
import type { Observed } from './play.ts'

/** Says whether one observed outcome is among the expected ones. */
export function satisfies(outcome: string, expected: readonly string[]): boolean {
  return expected.some((wanted) => {
    if (wanted === 'accepted') return /^2\d\d$/.test(outcome)
    if (wanted === '5xx') return /^5\d\d$/.test(outcome)
    return outcome === wanted
  })
}

/** What is wrong with the outcomes of a case, one sentence each; nothing if they are right. */
export function outcomeProblems(vector: VectorCase, observed: readonly Observed[]): string[] {
  const expected = vector.steps?.map((step) => step.expect) ?? [vector.expect]
  return expected.flatMap((wanted, index) => {
    const outcome = observed[index]?.outcome ?? 'nothing'
    if (satisfies(outcome, wanted)) return []
    const where = vector.steps === undefined ? '' : `step ${index + 1}: `
    return [`${where}expected ${wanted.join(' or ')}, observed ${outcome}`]
  })
}
