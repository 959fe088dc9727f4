import { setTimeout as delay } from 'node:timers/promises'

/**
 * Keeps a program running, and kills it again and again until `most` were killed, each after a time between the two `lives` in
 * milliseconds. `failed` rejects where it ends by itself.
 */
export async function startMortal(start, { most, lives: [least, longest], random }) {
  let stopped = false
  let alive = await start()
  const mortal = { kills: 0, stop }
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
