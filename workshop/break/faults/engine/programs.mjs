import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startApplication } from '@webhook-receiver/checks/program.mjs'

const RECEIVER = fileURLToPath(new URL('receiver.mjs', import.meta.url))

/** A function that starts a receiver, each time at the same port, and each with its own number. */
export function receiverAt(port, { secret, ...settings }) {
  let number = 0
  return () => {
    const args = [RECEIVER, JSON.stringify({ ...settings, number: number++ })]
    return startApplication(args, { secret, port })
  }
}

/**
 * Keeps a program running, and kills it again and again until `most` were killed, each after a time between the two `lives` in
 * milliseconds. `failed` rejects where it ends by itself.
 */
export async function startMortal(start, { most = 0, lives: [least, longest] = [], random } = {}) {
  let stopped = false
  let alive = await start()
  const mortal = { kills: 0, output: () => alive.output(), stop }
  const ended = () =>
    alive.ended.then(({ signal, code, stderr }) => {
      if (!stopped)
        throw new Error(`It ended by itself (${signal ?? code}): ${stderr.slice(-2000)}`)
    })
  const killing = killAll()
  mortal.failed = killing.then(() => new Promise(() => {}))
  // Whoever waits for it learns of it.
  mortal.failed.catch(() => {})
  return mortal

  async function killAll() {
    while (!stopped && mortal.kills < most) {
      await Promise.race([delay(least + random() * (longest - least)), ended()])
      if (stopped) return
      await alive.stop('SIGKILL')
      mortal.kills++
      alive = await start()
    }
    // Where it was stopped meanwhile, nobody has ended the last one yet.
    if (!stopped) await ended()
  }

  async function stop() {
    stopped = true
    await alive.stop('SIGKILL')
    await killing.catch(() => {})
    // It may have been about to start another.
    await alive.stop('SIGKILL')
  }
}
