import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createEmulator } from '@webhook-receiver/emulator'
import { freePorts } from '@webhook-receiver/tools/free-ports.mjs'
import { startApplication } from '@webhook-receiver/tools/program.mjs'

const RECEIVER = fileURLToPath(new URL('../acknowledge/receiver.mjs', import.meta.url))

/** How long a handler works, and the time between two kills and between two deliveries, in milliseconds. */
const WORK = 200
const LIFE = 1500
const PAUSE = 20

/** A receiver that is killed again and again while it answers after its work, or before it. */
export async function runAcknowledgements({ name, early, kills }, onEnd) {
  const home = await mkdtemp(join(tmpdir(), 'acknowledge-'))
  onEnd(() => rm(home, { recursive: true, force: true }))
  const journal = join(home, 'journal')
  await writeFile(journal, '')
  const [port] = await freePorts(1)
  const emulator = createEmulator()
  await emulator.start()
  onEnd(() => emulator.stop())
  const url = `http://127.0.0.1:${port}/webhooks`
  const { secret } = emulator.register({ url, events: ['message.received'] })
  const env = { JOURNAL: journal, WORK: String(WORK), ...(early && { EARLY: 'yes' }) }
  const start = () => startApplication([RECEIVER], { secret, port, env })

  let receiver = await start()
  onEnd(() => receiver.stop('SIGKILL'))
  let sending = true
  const emitted = []
  const load = (async () => {
    while (sending) {
      emitted.push(emulator.emit('message.received', {}))
      await delay(PAUSE)
    }
  })()
  for (let kill = 0; kill < kills; kill++) {
    await delay(LIFE)
    await receiver.stop('SIGKILL')
    receiver = await start()
  }
  sending = false
  await load
  const reports = (await Promise.all(emitted)).flat()
  await delay(2 * WORK)
  const journaled = (await readFile(journal, 'utf8')).split('\n').filter((line) => line !== '')
  const done = new Set(journaled)
  const acknowledged = reports.filter(({ outcome }) => outcome === 'delivered')
  const lost = acknowledged.filter(({ id }) => !done.has(id)).length
  const checks = [
    [!early && lost > 0, `${lost} were acknowledged and not handled`],
    [early && lost === 0, 'nothing was lost, so the kills prove nothing'],
  ]
  return {
    version: `${kills} kills, ${WORK} ms of work`,
    figures: {
      acknowledged: name,
      deliveries: reports.length,
      'answered 2xx': acknowledged.length,
      handled: done.size,
      'handled twice': journaled.length - done.size,
      lost,
    },
    violations: checks.flatMap(([wrong, how]) => (wrong ? [`${name}: ${how}`] : [])),
  }
}
