import { setTimeout as delay } from 'node:timers/promises'
import { inParallel } from '../concurrency.ts'
import type { Observer } from './observer.ts'
import type { Effect } from './probe.ts'

/** When to ask the observer first, how often, and for how long at most, in milliseconds. A handler may run after the answer. */
const WAIT = { first: 300, pause: 250, most: 3000 }

/** How many deliveries are asked for at the same time. */
const CONCURRENCY = 8

/** Asks the observer how often the handler ran, and waits for the runs that are still missing. */
export async function countEffects(
  effects: readonly Effect[],
  observe: Observer,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  await delay(WAIT.first)
  await observeAll(
    effects.map(({ id }) => id),
    observe,
    counts,
  )
  const end = performance.now() + WAIT.most
  for (;;) {
    const missing = effects.filter(({ id, runs }) => (counts.get(id) ?? 0) < runs)
    if (missing.length === 0 || performance.now() > end) return counts
    await delay(WAIT.pause)
    await observeAll(
      missing.map(({ id }) => id),
      observe,
      counts,
    )
  }
}

async function observeAll(
  ids: readonly string[],
  observe: Observer,
  counts: Map<string, number>,
): Promise<void> {
  await inParallel([...new Set(ids)], CONCURRENCY, async (id) => {
    counts.set(id, await observe(id))
  })
}
