/**
 * Settles as `work` does, or rejects with what `late` gives when so many seconds have gone by. What `work`
 * comes to after that is dropped.
 */
export function within<Value>(
  seconds: number,
  work: Promise<Value>,
  late: () => unknown,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = after(seconds, () => reject(late()))
    work.finally(cancel).then(resolve, reject)
  })
}

/** As `within`, for what may be there already: then no timer is made. */
export function soon<Value>(
  seconds: number,
  work: Value | PromiseLike<Value>,
  late: () => unknown,
): Value | Promise<Value> {
  return isPromiseLike(work) ? within(seconds, Promise.resolve(work), late) : work
}

function isPromiseLike<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Calls back after so many seconds, and never after `Infinity`; gives what cancels it. Keeps no process alive. */
export function after(seconds: number, action: () => void): () => void {
  if (seconds === Number.POSITIVE_INFINITY) return () => {}
  const timer: Timer = setTimeout(action, seconds * 1000)
  // Node's timers are objects. Elsewhere they are numbers, and Deno has a function of its own for those.
  if (timer.unref) timer.unref()
  else Reflect.get(globalThis, 'Deno')?.unrefTimer?.(timer)
  return () => clearTimeout(timer)
}

type Timer = ReturnType<typeof setTimeout> & { unref?(): void }

/** Calls what may throw at once, so that it can only reject. */
export async function asking<Value>(ask: () => Value | PromiseLike<Value>): Promise<Value> {
  return ask()
}
