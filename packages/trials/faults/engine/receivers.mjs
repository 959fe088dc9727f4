import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startProgram } from '@webhook-receiver/checks/program.mjs'

const PROGRAM = fileURLToPath(new URL('receiver.mjs', import.meta.url))

/** How long a receiver lives, in milliseconds. */
const LEAST = 150
const MOST = 500

/** Starts a receiver that is not killed. `failed` rejects where it ends by itself. */
export async function startReceiver(settings, onEnd) {
  const receiver = await startSpare(settings)
  onEnd(receiver.kill)
  return {
    port: await receiver.listen(0),
    failed: receiver.ended.then(() => new Promise(() => {})),
  }
}

/**
 * Keeps one receiver on one port, and kills it again and again until `most` were killed. A spare that is loaded and
 * connected listens as soon as the other is dead.
 *
 * `kills` holds when each was killed, by its number; `lives` how long each listened, in milliseconds. `failed` rejects
 * where a receiver ends by itself.
 */
export async function startMortalReceivers(settings, { random, most }) {
  const kills = new Map()
  const lives = []
  let number = 0
  let stopped = false
  const next = () => startSpare({ ...settings, number: number++ })
  let alive = await next()
  let spare = next()
  const port = await alive.listen(0)
  const killing = killAll()
  // `failed` and `stop` report it.
  killing.catch(() => {})

  async function killAll() {
    while (kills.size < most) {
      const born = performance.now()
      await Promise.race([delay(LEAST + random() * (MOST - LEAST)), alive.ended])
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
    failed: killing.then(() => new Promise(() => {})),
    async stop() {
      stopped = true
      await killing.catch(() => {})
      await Promise.all([alive.kill(), spare.then((last) => last.kill())])
    },
  }
}

async function startSpare({ number = 0, ...settings }) {
  const args = [PROGRAM, JSON.stringify({ ...settings, number })]
  const program = startProgram(process.execPath, args, { fourth: 'ipc' })
  let killed = false
  const ended = program.ended.then(({ code, signal, stderr }) => {
    if (!killed) throw new Error(`A receiver ended by itself (${signal ?? code}): ${stderr}`)
  })
  ended.catch(() => {})
  await program.message()
  return {
    number,
    ended,
    async listen(port) {
      program.child.send({ port })
      return (await program.message()).listening
    },
    async kill() {
      killed = true
      await program.stop('SIGKILL')
    },
  }
}
