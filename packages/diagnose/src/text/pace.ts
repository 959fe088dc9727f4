/** How much work is done before other work gets its turn. A unit is about a nanosecond on a slow core. */
export const WORK_PER_TURN = 2_000_000

/** How much work one diagnosis does, in the same unit. */
const MAX_WORK = 4_000_000_000

/**
 * Announces the next step of a diagnosis and its cost. Where the steps since the last turn would
 * block for too long, other work gets its turn first. Await the result before the step.
 *
 * @throws OverBudget where the step exceeds the budget of the diagnosis.
 */
export type Pace = (cost: number) => void | Promise<void>

/** A diagnosis has used up its budget. Never leaves `diagnose`. */
export class OverBudget extends Error {}

export function createPace(budget: number = MAX_WORK): Pace {
  let left = budget
  let sinceTurn = 0
  return (cost) => {
    left -= cost
    if (left < 0) throw new OverBudget('The budget of the diagnosis is used up.')
    sinceTurn += cost
    if (sinceTurn <= WORK_PER_TURN) return
    sinceTurn = cost
    return turn()
  }
}

/** Resolves when other work has had its turn. */
function turn(): Promise<void> {
  // A timer of 0 ms takes at least 1 ms on Node; only Node, Bun and Deno have setImmediate.
  const soon: unknown = Reflect.get(globalThis, 'setImmediate')
  return new Promise((resolve) => {
    if (typeof soon === 'function') soon(resolve)
    else setTimeout(resolve, 0)
  })
}
