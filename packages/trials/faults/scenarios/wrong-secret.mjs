import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { startApplication, startProgram } from '@webhook-receiver/checks/program.mjs'
import { redisServer } from '@webhook-receiver/checks/servers.mjs'
import { createEmulator } from '@webhook-receiver/emulator'
import { listKept } from '@webhook-receiver/quarantine/internal'
import { sendForgeries } from '../wrong-secret/forger.mjs'

const RECEIVER = fileURLToPath(new URL('../wrong-secret/receiver.mjs', import.meta.url))
const COMMAND = fileURLToPath(new URL('../../../cli/bin/webhook-receiver.js', import.meta.url))
const WRONG = 'whsec_the-wrong-one-on-a-friday'

/** Deliveries before the wrong secret, and forgeries beside them. */
const BEFORE = 100
const FORGED_BEFORE = 2000

/** The bounds of each of the two pools. */
const MAX_ENTRIES = 10_000
const MAX_BYTES = 134_217_728

/** Where forgeries come from. `control`: nothing can tell these from deliveries, so it has to lose some. */
export const FLOODS = {
  strangers: { name: '1,000 other addresses', addresses: 1000 },
  first: {
    name: 'control: 1,000 addresses, before any delivery was accepted',
    addresses: 1000,
    before: 0,
    maxEntries: 1000,
    control: true,
  },
  neighbours: {
    name: 'control: the address of the service',
    addresses: 'service',
    maxEntries: 1000,
    control: true,
  },
}

/** A wrong secret beside a flood of forgeries, then the right one, and a redrive that is killed and begun again. */
export async function runWrongSecret({ flood, valid, forged }, onEnd) {
  const { name, addresses, before = BEFORE, control = false } = FLOODS[flood]
  const { maxEntries = MAX_ENTRIES } = FLOODS[flood]
  const home = await mkdtemp(join(tmpdir(), 'wrong-secret-'))
  onEnd(() => rm(home, { recursive: true, force: true }))
  const folder = join(home, 'quarantine')
  const journal = join(home, 'journal')
  await writeFile(journal, '')
  const redis = await redisServer({ persistent: true })
  onEnd(redis.remove)
  await redis.start()
  const [port] = await freePorts(1)
  const emulator = createEmulator()
  await emulator.start()
  onEnd(() => emulator.stop())
  const url = `http://127.0.0.1:${port}/webhooks`
  const { secret } = emulator.register({ url, events: ['message.received'] })
  const env = { REDIS_URL: redis.url, FOLDER: folder, JOURNAL: journal, MAX_ENTRIES: maxEntries }
  const start = async (secret) => {
    const receiver = await startApplication([RECEIVER], { secret, port, env })
    onEnd(() => receiver.stop('SIGKILL'))
    return receiver
  }
  // While the secret is right, the receiver learns the address of the service.
  let receiver = await start(secret)
  for (let index = 0; index < before; index++) await emit()
  if (before > 0) await sendForgeries({ port, count: FORGED_BEFORE, addresses })
  await delay(1500)
  await receiver.stop('SIGKILL')
  const handledBefore = (await handled()).length

  // The wrong secret: valid deliveries are spread over the flood.
  receiver = await start(WRONG)
  const wanted = new Set()
  const sending = []
  const every = forged / valid
  const watch = watchFolder(folder)
  const begun = performance.now()
  const statuses = await sendForgeries({
    ...{ port, count: forged, addresses },
    pace(index) {
      while (wanted.size + sending.length < valid * 2 && sending.length * every <= index) {
        if (sending.length >= valid) break
        sending.push(emit().then((id) => wanted.add(id)))
      }
    },
  })
  while (sending.length < valid) sending.push(emit().then((id) => wanted.add(id)))
  await Promise.all(sending)
  const seconds = (performance.now() - begun) / 1000
  const { most, mostBytes } = await watch.stop()
  await receiver.stop('SIGKILL')
  const kept = (await listKept(folder)).length

  // The right secret again. The first redrive is killed after a third of the deliveries.
  receiver = await start(secret)
  const redrive = () =>
    startProgram(
      process.execPath,
      [COMMAND, 'redrive', folder, '--to', url, '--has-store', '--json'],
      {
        env: { WEBHOOK_SECRET: secret },
      },
    )
  const first = redrive()
  let ended = false
  void first.ended.then(() => {
    ended = true
  })
  while (!ended && (await handled()).length - handledBefore < valid / 3) await delay(10)
  await first.stop('SIGKILL')
  const afterKill = (await handled()).length - handledBefore
  const { code, stderr } = await redrive().ended
  const third = await redrive().ended
  const journaled = (await handled()).slice(handledBefore)
  const times = new Map()
  for (const id of journaled) times.set(id, (times.get(id) ?? 0) + 1)
  const once = [...wanted].filter((id) => times.get(id) === 1).length
  const twice = [...times.values()].filter((count) => count > 1).length
  const lost = [...wanted].filter((id) => !times.has(id)).length
  const strange = [...times.keys()].filter((id) => !wanted.has(id)).length

  const checks = [
    [wanted.size !== valid, `${wanted.size} different valid deliveries were sent`],
    [Object.keys(statuses).join() !== '401', `forgeries got ${JSON.stringify(statuses)}`],
    [before > 0 && handledBefore !== before, `${handledBefore} of ${before} were handled before`],
    [most > 2 * maxEntries, `${most} files`],
    [mostBytes > 2 * MAX_BYTES, `${mostBytes} bytes`],
    [!control && lost > 0, `${lost} valid deliveries were lost`],
    [control && lost === 0, 'the control lost nothing, so the flood proves nothing'],
    [twice > 0, `${twice} were handled twice`],
    [strange > 0, `${strange} forgeries were handled`],
    // The control leaves nothing valid for the second redrive, which then reports that everything is rejected.
    [!control && code !== 0, `redrive ended with ${code}: ${stderr}`],
    [third.stdout.includes('"delivered"'), 'a third redrive delivered again'],
  ]
  return {
    version: redis.version,
    figures: {
      forger: name,
      deliveries: wanted.size,
      forgeries: forged,
      'forgeries/s': Math.round(forged / seconds),
      'most files': most,
      'most MiB': (mostBytes / 2 ** 20).toFixed(1),
      'kept at the end': kept,
      'handled when redrive was killed': afterKill,
      'handled once': once,
      twice,
      lost,
      'forgeries handled': strange,
    },
    violations: checks.flatMap(([wrong, how]) => (wrong ? [`${name}: ${how}`] : [])),
  }

  async function emit() {
    const [report] = await emulator.emit('message.received', { text: 'from the service' })
    return report.id
  }

  async function handled() {
    return (await readFile(journal, 'utf8')).split('\n').filter((line) => line !== '')
  }
}

/** Looks into the folder all the time. */
function watchFolder(folder) {
  let [most, mostBytes, stopped] = [0, 0, false]
  const watching = (async () => {
    while (!stopped) {
      const names = await listKept(folder)
      let bytes = 0
      for (const name of names) {
        // It may have expired since.
        const { size = 0 } = (await stat(join(folder, name)).catch(() => undefined)) ?? {}
        bytes += Math.ceil(size / 4096) * 4096
      }
      most = Math.max(most, names.length)
      mostBytes = Math.max(mostBytes, bytes)
      await delay(2000)
    }
  })()
  return {
    async stop() {
      stopped = true
      await watching
      return { most, mostBytes }
    },
  }
}
