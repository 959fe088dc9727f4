import { setTimeout as delay } from 'node:timers/promises'
import { inParallel } from '../concurrency.ts'
import type { Observer } from './observer.ts'
import type { Effect } from './probe.ts'

/** How long a handler that runs after the answer is given, and the pause between two looks, in milliseconds. */
const SETTLING = { first: 300, pause: 250, most: 3000 }

/** How many are looked up at the same time. */
const AT_ONCE = 8

/** Looks up how often the handler ran, waiting a while for those that are still to run. */
export async function countEffects(
  effects: readonly Effect[],
  observe: Observer,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  await delay(SETTLING.first)
  await look(
    effects.map(({ id }) => id),
    observe,
    counts,
  )
  const end = performance.now() + SETTLING.most
  for (;;) {
    const missing = effects.filter(({ id, runs }) => (counts.get(id) ?? 0) < runs)
    if (missing.length === 0 || performance.now() > end) return counts
    await delay(SETTLING.pause)
    await look(
      missing.map(({ id }) => id),
      observe,
      counts,
    )
  }
}

async function look(
  ids: readonly string[],
  observe: Observer,
  counts: Map<string, number>,
): Promise<void> {
  await inParallel([...new Set(ids)], AT_ONCE, async (id) => {
    counts.set(id, await observe(id))
  })
}
