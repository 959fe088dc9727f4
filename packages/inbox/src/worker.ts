import type { Handle } from './attempt.ts'
import type { Claimed, Claims, Following } from './claims.ts'

/** A worker that was started with `inbox.work()`. */
export interface InboxWorker {
  /** Claims nothing more, and resolves when the handlers that run have ended. */
  stop(): Promise<void>
}

export interface WorkerSettings {
  readonly concurrency: number
  /** Between two looks for what another process has stored, in seconds. */
  readonly poll: number
  readonly claim: (most: number, running: ReadonlyMap<string, number>) => Promise<Claims>
  /** Claims what was reserved. */
  readonly take: (reserved: Claimed) => Promise<Claimed | undefined>
  /** Leaves to others what was taken. */
  readonly leave: (taken: Claimed) => Promise<void>
  /** What may be claimed when a delivery ends. */
  readonly following: (running: ReadonlyMap<string, number>) => Following | undefined
  readonly handle: Handle
  /** Deletes what is too old. Resolves to whether there may be more. */
  readonly sweep: () => Promise<boolean>
  /** Called once for each outage. */
  readonly onOutage: (error: unknown) => void
}

/** Between two sweeps, in milliseconds. */
const SWEEP = 60_000

/** How long deliveries follow one another until the worker looks again for all that is due, in milliseconds. */
const SERIES = 250

/** After a look that failed, in milliseconds. */
const OUTAGE = 500

/** Starts a worker. `wake` makes it look for deliveries at once. */
export function startWorker(settings: WorkerSettings): InboxWorker & { readonly wake: () => void } {
  const { concurrency, poll, claim, take, leave, following, handle, sweep, onOutage } = settings
  const running = new Set<Promise<void>>()
  const byService = new Map<string, number>()
  let stopping = false
  let woken = false
  let away = false
  let swept = Number.NEGATIVE_INFINITY
  let suspect: Claimed | undefined
  /** Until when deliveries follow one another: only while more are due than this worker has place for. */
  let series = 0
  let endWait = () => {}

  function wake(): void {
    woken = true
    endWait()
  }

  /** Resolves also where PostgreSQL cannot be reached: what was claimed is claimed again later. */
  async function attempt(action: () => Promise<void>): Promise<boolean> {
    try {
      await action()
      away = false
    } catch (error) {
      if (!away) onOutage(error)
      away = true
    }
    return !away
  }

  function start(claimed: Claimed): void {
    const run = attempt(() => handleSeries(claimed)).then(() => {
      running.delete(run)
      wake()
    })
    running.add(run)
  }

  /** Handles a delivery, and what is claimed with its end, and so on. */
  async function handleSeries(first: Claimed): Promise<void> {
    let counted: readonly string[] = []
    const count = (services: readonly string[]) => {
      for (const each of counted) byService.set(each, (byService.get(each) ?? 0) - 1)
      for (const each of services) byService.set(each, (byService.get(each) ?? 0) + 1)
      counted = services
    }
    const follow = () => {
      if (stopping || suspect || performance.now() > series) return undefined
      count([])
      const found = following(byService)
      // Until it is known of which service the next is, it has its place in each.
      count(found?.services ?? [])
      return found
    }
    try {
      for (let each: Claimed | undefined = first; each; each = await handle(each, follow)) {
        count([each.service])
      }
    } finally {
      count([])
    }
  }

  /** Claims what there is place for. Resolves to whether to look again at once. */
  async function fill(): Promise<boolean> {
    if (suspect && running.size === 0) {
      // Kept where that fails: nobody else finds it until its reservation ends.
      const alone = await take(suspect)
      suspect = undefined
      if (alone) start(alone)
      await Promise.all(running)
      return true
    }
    const free = concurrency - running.size
    if (suspect || free === 0) return false
    const found = await claim(free, byService)
    for (const each of found.claimed) start(each)
    suspect = found.suspect
    series = found.more ? performance.now() + SERIES : 0
    const now = performance.now()
    if (now - swept > SWEEP) {
      // Also where it fails, as without the right to delete: that must not slow down every look.
      swept = now
      if (await sweep()) swept = Number.NEGATIVE_INFINITY
    }
    return found.more || (suspect !== undefined && running.size === 0)
  }

  async function work(): Promise<void> {
    while (!stopping) {
      woken = false
      let more = false
      const used = await attempt(async () => {
        more = await fill()
      })
      if (used && (woken || more)) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, used ? poll * 1000 : OUTAGE)
        endWait = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    await attempt(async () => {
      const taken = suspect && (await take(suspect))
      if (taken) await leave(taken)
    })
    await Promise.all(running)
  }

  const ended = work()
  const stop = () => {
    stopping = true
    wake()
    return ended
  }
  return { stop, wake }
}
