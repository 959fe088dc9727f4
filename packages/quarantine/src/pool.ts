import type { Entry, Rank } from './entry.ts'

/** How much a pool may hold. */
export interface PoolBounds {
  readonly entries: number
  readonly blocks: number
}

/** Decides what is kept where not everything can be. Holds no files. */
export interface Pool {
  /**
   * Takes an entry, and returns those that have to go for it; `undefined` where it is declined.
   *
   * A higher rank takes the place of a lower one. Within a rank no sender takes more than the others: the newest of
   * the sender that has most goes, as long as that sender has more than the one of the new entry. A sender never
   * pushes out what it sent itself.
   */
  admit(entry: Entry): readonly Entry[] | undefined
  /** Whether `admit` may take what has at least so many blocks: asked before anything is made for it. */
  mayAdmit(entry: Pick<Entry, 'rank' | 'source' | 'blocks'>): boolean
  /** Takes an entry that exists already. */
  add(entry: Entry): void
  remove(entry: Entry): void
  /** Removes what is too much, and returns it. */
  trim(): readonly Entry[]
}

/** The entries of one sender in one rank, in the order in which they came. */
interface Holding {
  readonly entries: Entry[]
  blocks: number
}

export function createPool(bounds: PoolBounds): Pool {
  const ranks = ([0, 1, 2, 3] as const).map(() => createRank())
  const rankOf = (rank: Rank): RankHoldings => ranks[rank] ?? createRank()
  let entries = 0
  let blocks = 0

  function add(entry: Entry): void {
    rankOf(entry.rank).add(entry)
    entries += 1
    blocks += entry.blocks
  }

  function remove(entry: Entry): void {
    if (!rankOf(entry.rank).remove(entry)) return
    entries -= 1
    blocks -= entry.blocks
  }

  function isOver(more: { readonly entries: number; readonly blocks: number }): boolean {
    return entries + more.entries > bounds.entries || blocks + more.blocks > bounds.blocks
  }

  /** The newest of the sender that has most, in the lowest rank that holds anything, of those below `rank`. */
  function newestBelow(rank: number): Entry | undefined {
    for (const { heaviest } of ranks.slice(0, rank)) {
      const newest = heaviest()?.entries.at(-1)
      if (newest) return newest
    }
    return undefined
  }

  /** What goes first for an entry of the same rank, or of a higher one. */
  function victimFor(entry: Pick<Entry, 'rank' | 'source' | 'blocks'>): Entry | undefined {
    const lower = newestBelow(entry.rank)
    if (lower) return lower
    const same = rankOf(entry.rank)
    const heaviest = same.heaviest()
    const own = same.blocksOf(entry.source) + entry.blocks
    return heaviest && heaviest.blocks > own ? heaviest.entries.at(-1) : undefined
  }

  return {
    add,
    remove,
    admit(entry) {
      const gone: Entry[] = []
      while (isOver({ entries: 1, blocks: entry.blocks })) {
        const victim = victimFor(entry)
        if (!victim) {
          for (const kept of gone.reverse()) add(kept)
          return undefined
        }
        remove(victim)
        gone.push(victim)
      }
      add(entry)
      return gone
    },
    mayAdmit(entry) {
      if (entry.blocks > bounds.blocks) return false
      return !isOver({ entries: 1, blocks: entry.blocks }) || victimFor(entry) !== undefined
    },
    trim() {
      const gone: Entry[] = []
      while (isOver({ entries: 0, blocks: 0 })) {
        const victim = newestBelow(ranks.length)
        if (!victim) break
        remove(victim)
        gone.push(victim)
      }
      return gone
    },
  }
}

interface RankHoldings {
  add(entry: Entry): void
  remove(entry: Entry): boolean
  blocksOf(source: string): number
  heaviest(): Holding | undefined
}

/** The holdings of one rank, also by their weight, so that the heaviest is found at once in a flood from many addresses. */
function createRank(): RankHoldings {
  const bySource = new Map<string, Holding>()
  const byBlocks = new Map<number, Set<Holding>>()
  let most = 0

  function weigh(holding: Holding, change: number): void {
    byBlocks.get(holding.blocks)?.delete(holding)
    if (byBlocks.get(holding.blocks)?.size === 0) byBlocks.delete(holding.blocks)
    holding.blocks += change
    if (holding.blocks > 0) {
      const equal = byBlocks.get(holding.blocks) ?? new Set()
      byBlocks.set(holding.blocks, equal.add(holding))
    }
    most = Math.max(most, holding.blocks)
    while (most > 0 && !byBlocks.has(most)) most -= 1
  }

  return {
    add(entry) {
      const holding = bySource.get(entry.source) ?? { entries: [], blocks: 0 }
      bySource.set(entry.source, holding)
      holding.entries.push(entry)
      weigh(holding, entry.blocks)
    },
    remove(entry) {
      const holding = bySource.get(entry.source)
      const index = holding?.entries.lastIndexOf(entry) ?? -1
      if (!holding || index < 0) return false
      holding.entries.splice(index, 1)
      weigh(holding, -entry.blocks)
      if (holding.entries.length === 0) bySource.delete(entry.source)
      return true
    },
    blocksOf: (source) => bySource.get(source)?.blocks ?? 0,
    heaviest: () => byBlocks.get(most)?.values().next().value,
  }
}
