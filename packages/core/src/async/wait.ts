/** Waits, but only until `signal` is aborted. Never rejects: the caller looks at the signal. Leaves no timer behind. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    // Node warns of a negative time.
    const timer = setTimeout(end, Math.max(0, milliseconds))
    signal?.addEventListener('abort', end)
  })
}
