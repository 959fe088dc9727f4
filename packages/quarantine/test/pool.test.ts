import { expect, test } from 'vitest'
import { type Entry, makeEntry, type Rank } from '../src/entry.ts'
import { createPool, type Pool, type PoolBounds } from '../src/pool.ts'
import { seeded } from './random.ts'

let count = 0

function entry(rank: Rank, source: string, bytes = 1000): Entry {
  count += 1
  const digest = count.toString(16).padStart(32, '0')
  return makeEntry({ at: count, pool: 'main', rank, source, digest }, bytes)
}

/** Admits so many of a sender. Returns what is in the pool afterwards, from what `pool` tells. */
function fill(pool: Pool, entries: readonly Entry[], held: Set<Entry> = new Set()): Set<Entry> {
  for (const one of entries) {
    const gone = pool.admit(one)
    if (!gone) continue
    held.add(one)
    for (const victim of gone) held.delete(victim)
  }
  return held
}

const many = (count: number, rank: Rank, source: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => entry(rank, source(index)))

test('keeps what came first of one sender, and declines the rest', () => {
  const pool = createPool({ entries: 3, blocks: 100 })
  const all = many(5, 0, () => 'a')
  expect([...fill(pool, all)]).toEqual(all.slice(0, 3))
})

test('a flood from one address leaves half to the others of its rank', () => {
  const pool = createPool({ entries: 100, blocks: 1000 })
  const held = fill(
    pool,
    many(1000, 0, () => 'flood'),
  )
  const late = many(50, 0, () => 'genuine')
  fill(pool, late, held)
  expect(late.every((one) => held.has(one))).toBe(true)
  expect(held.size).toBe(100)
  // The next flood from the same address changes nothing.
  fill(
    pool,
    many(1000, 0, () => 'flood'),
    held,
  )
  expect(late.every((one) => held.has(one))).toBe(true)
})

test('no flood of a lower rank pushes out a higher one, from however many addresses', () => {
  const pool = createPool({ entries: 100, blocks: 1000 })
  const genuine = many(100, 2, () => 'genuine')
  const flood = () => many(1000, 1, (index) => `bot-${index}`)
  const held = fill(pool, flood())
  fill(pool, genuine, held)
  fill(pool, flood(), held)
  expect(held).toEqual(new Set(genuine))
})

test('a large one takes the place of several small ones, or is declined and takes none', () => {
  const pool = createPool({ entries: 100, blocks: 4 })
  const small = many(4, 0, () => 'a')
  const held = fill(pool, small)
  expect(pool.admit(entry(0, 'b', 4096 * 3))).toBeUndefined()
  expect(pool.admit(entry(3, 'b', 4096 * 5))).toBeUndefined()
  const large = entry(1, 'b', 4096 * 3)
  fill(pool, [large], held)
  expect(held).toEqual(new Set([small[0], large]))
})

const ranks = [0, 1, 2, 3] as const
const blocksOf = (entries: readonly Entry[]) => entries.reduce((sum, { blocks }) => sum + blocks, 0)

/** The rules of the pool, for entries in the order in which they came. */
function model(held: readonly Entry[], bounds: PoolBounds) {
  const isOver = (entries: number, blocks: number) =>
    held.length + entries > bounds.entries || blocksOf(held) + blocks > bounds.blocks
  const of = (rank: Rank, source: string) =>
    held.filter((one) => one.rank === rank && one.source === source)
  /** The newest of each sender that has most, in the lowest rank that holds anything. */
  const candidates = () => {
    const rank = ranks.find((rank) => held.some((one) => one.rank === rank)) ?? 0
    const sources = new Set(held.flatMap((one) => (one.rank === rank ? [one.source] : [])))
    const holdings = [...sources].map((source) => of(rank, source))
    const most = Math.max(0, ...holdings.map(blocksOf))
    return holdings.filter((one) => blocksOf(one) === most).map((one) => one.at(-1))
  }
  const own = (next: Entry) => blocksOf(of(next.rank, next.source)) + next.blocks
  return {
    isOver,
    /** What may go for an entry. */
    victims: (next: Entry) =>
      candidates().filter(
        (one) =>
          one &&
          (one.rank < next.rank ||
            (one.rank === next.rank && blocksOf(of(one.rank, one.source)) > own(next))),
      ),
    candidates,
    /** Whether there is room once all that may go has gone. */
    admits: (next: Entry) => {
      const stays = held.filter((one) => one.rank > next.rank)
      for (const source of new Set(held.map((one) => one.source))) {
        const same = of(next.rank, source)
        while (source !== next.source && blocksOf(same) > own(next)) same.pop()
        stays.push(...same)
      }
      return stays.length < bounds.entries && blocksOf(stays) + next.blocks <= bounds.blocks
    },
  }
}

test.each([1, 2, 3, 4])('decides as the rules say, whatever comes and goes (seed %i)', (seed) => {
  const random = seeded(seed)
  for (let round = 0; round < 60; round++) {
    const bounds = { entries: random(12), blocks: random(25) }
    const pool = createPool(bounds)
    const [largest, senders] = [1 + random(40_000), 1 + random(6)]
    const any = () => entry(ranks[random(4)] ?? 0, `source ${random(senders)}`, 1 + random(largest))
    let held: readonly Entry[] = []
    const without = (gone: unknown) => held.filter((one) => one !== gone)
    for (let step = 0; step < 60; step++) {
      const next = any()
      const action = random(12)
      if (action === 0) {
        // Once more, and one that never came: neither changes anything.
        const gone = held[random(held.length)] ?? next
        for (const one of [gone, gone, any()]) pool.remove(one)
        held = without(gone)
      } else if (action === 1) {
        // Of another process.
        pool.add(next)
        held = [...held, next]
        for (const victim of pool.trim()) {
          expect(model(held, bounds).isOver(0, 0)).toBe(true)
          expect(model(held, bounds).candidates()).toContain(victim)
          held = without(victim)
        }
        expect(model(held, bounds).isOver(0, 0)).toBe(false)
      } else {
        const { admits, isOver, victims } = model(held, bounds)
        const may =
          next.blocks <= bounds.blocks && (!isOver(1, next.blocks) || victims(next).length > 0)
        expect(pool.mayAdmit(next)).toBe(may)
        const gone = pool.admit(next)
        expect(gone !== undefined).toBe(admits(next))
        if (!gone) continue
        for (const victim of gone) {
          expect(model(held, bounds).isOver(1, next.blocks)).toBe(true)
          expect(model(held, bounds).victims(next)).toContain(victim)
          held = without(victim)
        }
        expect(model(held, bounds).isOver(1, next.blocks)).toBe(false)
        held = [...held, next]
      }
    }
  }
})

test('what is too much on the disk goes from the lowest rank first', () => {
  const pool = createPool({ entries: 2, blocks: 100 })
  const [low, middle, high] = [entry(0, 'a'), entry(1, 'a'), entry(3, 'a')]
  for (const one of [high, low, middle]) pool.add(one)
  expect(pool.trim()).toEqual([low])
  expect(pool.trim()).toEqual([])
})
