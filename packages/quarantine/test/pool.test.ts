import { expect, test } from 'vitest'
import { type Entry, makeEntry, type Rank } from '../src/entry.ts'
import { createPool, type Pool } from '../src/pool.ts'

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
  expect(pool.entries).toBe(3)
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
  expect(pool.blocks).toBe(4)
  const large = entry(1, 'b', 4096 * 3)
  fill(pool, [large], held)
  expect(held).toEqual(new Set([small[0], large]))
  expect(pool.blocks).toBe(4)
})

test('bounds hold after any sequence, and what is told to go was there', () => {
  const pool = createPool({ entries: 20, blocks: 30 })
  const held = new Set<Entry>()
  let state = 7
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
  for (let time = 0; time < 5000; time++) {
    const [first] = held
    if (first && random(10) === 0) {
      pool.remove(first)
      held.delete(first)
      continue
    }
    const next = entry(random(4) as Rank, `s${random(6)}`, random(20_000))
    const gone = pool.admit(next)
    for (const victim of gone ?? []) {
      expect(held.delete(victim)).toBe(true)
      expect(victim.rank).toBeLessThanOrEqual(next.rank)
      if (victim.rank === next.rank) expect(victim.source).not.toBe(next.source)
    }
    if (gone) held.add(next)
    expect(pool.entries).toBe(held.size)
    expect(pool.entries).toBeLessThanOrEqual(20)
    const blocks = [...held].reduce((sum, { blocks }) => sum + blocks, 0)
    expect(pool.blocks).toBe(blocks)
    expect(blocks).toBeLessThanOrEqual(30)
  }
})

test('what is too much on the disk goes from the lowest rank first', () => {
  const pool = createPool({ entries: 2, blocks: 100 })
  const [low, middle, high] = [entry(0, 'a'), entry(1, 'a'), entry(3, 'a')]
  for (const one of [high, low, middle]) pool.add(one)
  expect(pool.trim()).toEqual([low])
  expect(pool.entries).toBe(2)
})

test('mayAdmit never refuses what admit takes, and refuses a flood of equal senders', () => {
  // Numerical Recipes' generator: the same sequence in each run.
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 1_664_525 + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const ranks = [0, 1, 2, 3] as const
  let refused = 0
  for (let round = 0; round < 50; round++) {
    const pool = createPool({ entries: 1 + random(20), blocks: 1 + random(60) })
    for (let index = 0; index < 200; index++) {
      const one = entry(ranks[random(4)] ?? 0, `source ${random(5)}`, 1 + random(40_000))
      const may = pool.mayAdmit({ ...one, blocks: 1 + random(one.blocks) })
      const taken = pool.admit(one) !== undefined
      expect(taken && !may).toBe(false)
      if (!may) refused += 1
      expect(pool.entries).toBeLessThanOrEqual(20)
    }
  }
  expect(refused).toBeGreaterThan(1000)
})
