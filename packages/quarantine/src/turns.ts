/** Runs work, at most so much of it at the same time, the rest in turn. */
export function createTurns(most: number): (work: () => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
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
}
