import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('receiver.mjs', import.meta.url))

/** How long a receiver lives, in milliseconds. */
const LEAST = 150
const MOST = 500

/** Starts a receiver that is not killed. Gives its port, `stop`, and `failed`, which rejects where it ends by itself. */
export async function startReceiver(settings) {
  const spare = await startSpare(settings)
  return {
    port: await spare.listen(0),
    failed: spare.died.then(() => new Promise(() => {})),
    stop: () => spare.kill(),
  }
}

/**
 * Keeps one receiver on one port, and kills it again and again until it was killed `most` times. A spare
 * that is loaded and connected stands by, and listens as soon as the other is dead.
 *
 * `kills` holds when each was killed, by its number; `lives` how long each listened, in milliseconds.
 */
export async function startMortalReceivers(settings, { random, most = Number.POSITIVE_INFINITY }) {
  const kills = new Map()
  const lives = []
  let number = 0
  let stopped = false
  const next = () => startSpare({ ...settings, number: number++ })
  let alive = await next()
  let spare = next()
  const port = await alive.listen(0)
  const killing = killAgain()
  // Seen by who awaits `failed` or `stop`.
  killing.catch(() => {})

  async function killAgain() {
    while (kills.size < most) {
      const born = performance.now()
      await Promise.race([delay(LEAST + random() * (MOST - LEAST)), alive.died])
      if (stopped) return
      kills.set(alive.number, Date.now())
      lives.push(performance.now() - born)
      await alive.kill()
      alive = await spare
      spare = next()
      await alive.listen(port)
    }
  }

  return {
    port,
    kills,
    lives,
    /** Rejects where a receiver ended by itself. */
    failed: killing.then(() => new Promise(() => {})),
    async stop() {
      stopped = true
      await killing.catch(() => {})
      await Promise.all([alive.kill(), spare.then((last) => last.kill())])
    },
  }
}

async function startSpare({ number = 0, ...settings }) {
  const child = fork(PROGRAM, [JSON.stringify({ ...settings, number })], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-2000)
  })
  const exit = once(child, 'exit')
  let killed = false
  const died = exit.then(([code, signal]) => {
    if (!killed) throw new Error(`A receiver ended by itself (${code ?? signal}): ${complaint}`)
  })
  died.catch(() => {})
  const answer = async () => (await Promise.race([once(child, 'message'), died]))[0]
  await answer()

  return {
    number,
    died,
    async listen(port) {
      child.send({ port })
      return (await answer()).listening
    },
    async kill() {
      killed = true
      child.kill('SIGKILL')
      await exit
    },
  }
}
