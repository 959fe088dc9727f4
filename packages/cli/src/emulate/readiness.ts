import { connect } from 'node:net'
import { Failure } from '../failure.ts'
import type { Output } from '../surroundings.ts'
import { wait } from '../wait.ts'

/** How long to wait between two looks, in milliseconds. */
const PAUSE = 200

/**
 * Waits until something listens at the address, so that a receiver can be started after its secret
 * exists.
 *
 * @throws Failure after `patience` seconds.
 */
export async function untilListening(
  url: URL,
  patience: number,
  { stderr, signal }: { readonly stderr: Output; readonly signal: AbortSignal },
): Promise<void> {
  const deadline = performance.now() + patience * 1000
  let told = false
  while (!signal.aborted) {
    if (await listens(url)) return
    if (!told) stderr.write(`Waiting for a receiver at ${url.host} …\n`)
    told = true
    if (performance.now() > deadline) {
      throw new Failure(
        `Nothing listens at ${url.host} after ${patience} s: start the receiver there, or give another --forward or a longer --wait.`,
      )
    }
    await wait(PAUSE, signal)
  }
}

function listens({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      timeout: 2000,
    })
    const settle = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => settle(true))
    socket.once('timeout', () => settle(false))
    socket.once('error', () => settle(false))
  })
}
