/**
 * Settles as `work` does, or rejects with what `late` returns when `seconds` have passed. A later result of `work` is
 * ignored.
 */
export function withTimeout<Value>(
  seconds: number,
  work: Promise<Value>,
  late: () => unknown,
): Promise<Value> {
  if (seconds === Number.POSITIVE_INFINITY) return work
  return new Promise((resolve, reject) => {
    const cancel = startTimer(seconds, () => reject(late()))
    // Two callbacks, since `finally` makes two promises more.
    work.then(
      (value) => {
        cancel()
        resolve(value)
      },
      (error: unknown) => {
        cancel()
        reject(error)
      },
    )
  })
}

/** Waits up to `seconds` for a value that may be available at once: then no timer is made. */
export function withTimeoutIfAsync<Value>(
  seconds: number,
  work: Value | PromiseLike<Value>,
  late: () => unknown,
): Value | Promise<Value> {
  return isPromiseLike(work) ? withTimeout(seconds, Promise.resolve(work), late) : work
}

/** What `await` waits for. Not by its class: zone.js and others replace Promise, and the promises of Workers RPC are functions. */
export function isPromiseLike<Value>(
  value: Value | PromiseLike<Value>,
): value is PromiseLike<Value> {
  // Most values are neither, and are not looked at further.
  if (typeof value !== 'object' && typeof value !== 'function') return false
  return typeof (value as Partial<PromiseLike<Value>> | null)?.then === 'function'
}

/**
 * Calls `action` after `seconds`, and never for `Infinity`. Returns a function that cancels it. The timer does not keep
 * the process alive.
 */
export function startTimer(seconds: number, action: () => void): () => void {
  if (seconds === Number.POSITIVE_INFINITY) return () => {}
  const timer: Timer = setTimeout(action, seconds * 1000)
  // Node's timers are objects. Elsewhere they are numbers, and Deno has a function of its own for those.
  if (timer.unref) timer.unref()
  else Reflect.get(globalThis, 'Deno')?.unrefTimer?.(timer)
  return () => clearTimeout(timer)
}

type Timer = ReturnType<typeof setTimeout> & { unref?(): void }

/** How many microtasks are waited for what may end at once: timers cost more than it does. */
export const AT_ONCE = 10

/**
 * Says whether a promise has settled. Whoever waits `AT_ONCE` microtasks for that does so by itself: each promise of a request costs as much as
 * all header checks.
 */
export function settlingOf(work: Promise<unknown>): { readonly isOver: boolean } {
  const settling = { isOver: false }
  const end = () => {
    settling.isOver = true
  }
  work.then(end, end)
  return settling
}

/** Lets a promise reject that nobody waits for, such as one where a string should be: otherwise Node would end the process. */
export function ignore(value: unknown): void {
  Promise.resolve(value).catch(() => {})
}

/** Calls a function that may throw synchronously, so that it can only reject. */
export function attempt<Value>(action: () => Value | PromiseLike<Value>): Promise<Value> {
  try {
    return Promise.resolve(action())
  } catch (error) {
    return Promise.reject(error)
  }
}
