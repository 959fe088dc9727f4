/** A worker that was started with `inbox.work()`. */
export interface InboxWorker {
  /** Claims nothing more, and resolves when the handlers that run have ended. */
  stop(): Promise<void>
}

export interface WorkerSettings<Claimed> {
  readonly concurrency: number
  /** Claims at most so many deliveries. */
  readonly claim: (most: number) => Promise<readonly Claimed[]>
  readonly handle: (claimed: Claimed) => Promise<void>
  /** Deletes what is too old. Resolves to whether there may be more. */
  readonly sweep: () => Promise<boolean>
  /** Called once for each outage. */
  readonly onOutage: (error: unknown) => void
}

/** Between two looks for what another process has stored, and between two sweeps, in milliseconds. */
const POLL = 500
const SWEEP = 60_000

/** Starts a worker. `wake` makes it look for deliveries at once. */
export function startWorker<Claimed>(
  settings: WorkerSettings<Claimed>,
): InboxWorker & { readonly wake: () => void } {
  const { concurrency, claim, handle, sweep, onOutage } = settings
  const running = new Set<Promise<void>>()
  let stopping = false
  let woken = false
  let away = false
  let swept = 0
  let endWait = () => {}

  function wake(): void {
    woken = true
    endWait()
  }

  /** Resolves also where PostgreSQL cannot be reached: what was claimed is claimed again later. */
  async function attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action()
      away = false
    } catch (error) {
      if (!away) onOutage(error)
      away = true
    }
  }

  function start(claimed: Claimed): void {
    const run = attempt(() => handle(claimed)).finally(() => {
      running.delete(run)
      wake()
    })
    running.add(run)
  }

  async function fill(free: number): Promise<boolean> {
    const claimed = await claim(free)
    for (const each of claimed) start(each)
    if (Date.now() - swept > SWEEP && !(await sweep())) swept = Date.now()
    return claimed.length === free
  }

  async function work(): Promise<void> {
    while (!stopping) {
      woken = false
      let more = false
      const free = concurrency - running.size
      if (free > 0) {
        await attempt(async () => {
          more = await fill(free)
        })
      }
      if (woken || more) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL)
        endWait = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
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
