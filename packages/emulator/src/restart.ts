import { printError } from '@webhook-receiver/core/adapter'
import type { ResolvedOptions } from './resolved-options.ts'

/** Restarts the receiver. Never rejects: a failed restart is printed. */
export async function restart(hook: ResolvedOptions['restartReceiver']): Promise<void> {
  try {
    await hook?.()
  } catch (error) {
    printError('[webhook-receiver] restartReceiver threw an error. The deliveries go on.', error)
  }
}

/** Waits for the work or the signal: a hook that hangs must not keep the emulator from stopping. */
export async function unlessAborted(
  work: Promise<void> | undefined,
  signal: AbortSignal,
): Promise<void> {
  const done = new AbortController()
  work?.then(() => done.abort())
  if (work) await once(AbortSignal.any([done.signal, signal]))
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
