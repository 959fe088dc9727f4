import { setTimeout as sleep } from 'node:timers/promises'

/** Waits, and less long where `signal` is aborted. Leaves no timer behind. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  // An aborted wait is not an error: the caller checks the signal.
  await sleep(Math.max(0, milliseconds), undefined, { signal }).catch(() => {})
}
