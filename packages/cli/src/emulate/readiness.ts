import { wait } from '@webhook-receiver/core/internal'
import { listens } from '@webhook-receiver/emulator/internal'
import type { Output } from '../console/index.ts'

/** How long to wait between two looks, in milliseconds. */
const PAUSE = 200

export interface Readiness {
  /** Whether something listens at one of the addresses. */
  readonly ready: boolean
  /** The hosts where nothing does. */
  readonly silent: readonly string[]
}

/**
 * Waits until something listens at one of the addresses, but no longer than `timeout` seconds: a
 * receiver can be started after its secret exists. Asks for the addresses at each look, since more may
 * be registered in the meantime.
 */
export async function waitForReceiver(
  urls: () => readonly URL[],
  timeout: number,
  { stderr, signal }: { readonly stderr: Output; readonly signal: AbortSignal },
): Promise<Readiness> {
  const deadline = performance.now() + timeout * 1000
  const announced = new Set<string>()
  for (;;) {
    const readiness = await checkReceivers(urls())
    if (readiness.ready || signal.aborted) return readiness
    for (const host of readiness.silent) {
      if (!announced.has(host)) stderr.write(`Waiting for a receiver at ${host} …\n`)
      announced.add(host)
    }
    if (performance.now() > deadline) return readiness
    await wait(PAUSE, signal)
  }
}

async function checkReceivers(urls: readonly URL[]): Promise<Readiness> {
  const listening = await Promise.all(urls.map(listens))
  const silent = urls.flatMap(({ host }, index) => (listening[index] ? [] : [host]))
  return { ready: listening.includes(true), silent: [...new Set(silent)] }
}
