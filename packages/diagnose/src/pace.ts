/** After how much work other work gets its turn. A unit is about a nanosecond of a slow core. */
export const BREATH = 2_000_000

/** How much work one diagnosis does, in the same unit. */
const MAX_WORK = 4_000_000_000

/**
 * Announces the next step of a diagnosis and its cost. Other work gets its turn first where the steps since the last
 * turn would block for too long. Await the result before the step.
 *
 * @throws Exhausted where the step is over the budget of the diagnosis.
 */
export type Pace = (cost: number) => void | Promise<void>

/** A diagnosis has used up its budget. Never leaves `diagnose`. */
export class Exhausted extends Error {}

export function createPace(budget: number = MAX_WORK): Pace {
  let left = budget
  let sinceTurn = 0
  return (cost) => {
    left -= cost
    if (left < 0) throw new Exhausted('The budget of the diagnosis is used up.')
    sinceTurn += cost
    if (sinceTurn <= BREATH) return
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
