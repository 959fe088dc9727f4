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
