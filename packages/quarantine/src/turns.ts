/** Runs work, at most so much of it at the same time, the rest in turn. */
export function createTurns(most: number): TakeTurn {
  const waiting: (() => void)[] = []
  let running = 0
  const takeTurn = async (work: () => Promise<void>) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      await work()
    } finally {
      const next = waiting.shift()
      // Whoever is next takes over this place.
      if (next) next()
      else running -= 1
    }
  }
  return Object.assign(takeTurn, { waiting: () => waiting.length })
}

interface TakeTurn {
  (work: () => Promise<void>): Promise<void>
  waiting(): number
}
