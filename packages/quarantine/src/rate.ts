/** A rate is an average over so many milliseconds, so that a burst passes. */
const WINDOW = 10_000

/** Takes one of the permits of a class for a sender; false where there is none for it. */
export type TakePermit = (group: string, source: string, now: number) => boolean

/**
 * Bounds how much is written. Each class of requests has permits of its own, and a sender gets one only while it has taken fewer
 * than are left: one alone gets half of them, and a flood from one address leaves as many for all others.
 */
export function createRate(perSecond: number): TakePermit {
  const permits = Math.max(2, Math.floor((perSecond * WINDOW) / 1000))
  let start = Number.NEGATIVE_INFINITY
  let groups = new Map<string, Group>()

  return (group, source, now) => {
    // A clock that was set back begins a window, too.
    if (!(now - start < WINDOW && now >= start)) {
      start = now
      groups = new Map()
    }
    const current = groups.get(group) ?? { left: permits, taken: new Map() }
    groups.set(group, current)
    const taken = current.taken.get(source) ?? 0
    if (taken >= current.left) return false
    current.left -= 1
    current.taken.set(source, taken + 1)
    return true
  }
}

interface Group {
  left: number
  readonly taken: Map<string, number>
}
