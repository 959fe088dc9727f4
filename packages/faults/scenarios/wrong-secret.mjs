import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createEmulator } from '@webhook-receiver/emulator'
import { DEFAULTS, listKept } from '@webhook-receiver/quarantine'
import { freePorts } from '@webhook-receiver/tools/free-ports.mjs'
import { startApplication, startProgram } from '@webhook-receiver/tools/program.mjs'
import { redisServer } from '@webhook-receiver/tools/servers.mjs'
import { sendForgeries } from '../wrong-secret/forger.mjs'

const RECEIVER = fileURLToPath(new URL('../wrong-secret/receiver.mjs', import.meta.url))
const COMMAND = fileURLToPath(new URL('../../cli/bin/webhook-receiver.js', import.meta.url))
const WRONG = 'whsec_the-wrong-one-on-a-friday'

/** Deliveries before the wrong secret, and the instances that all genuine deliveries are of. */
const BEFORE = 100
const INSTANCES = 20

/** Forgeries beside them, of which the reserve may keep a few. */
const FORGED_BEFORE = 2000

/** What a forger knows. `control`: nothing can tell these from genuine deliveries, so it has to lose some. */
export const FLOODS = {
  strangers: { name: '1,000 addresses, made-up instances', addresses: 1000, instances: 'made-up' },
  insiders: { name: '1,000 addresses, real instances', addresses: 1000, instances: 'real' },
  neighbours: {
    name: 'the address of the service, made-up instances',
    addresses: 'service',
    instances: 'made-up',
  },
  first: {
    name: '10 addresses, before any delivery was accepted',
    addresses: 10,
    instances: 'made-up',
    before: 0,
  },
  control: {
    name: 'control: the address of the service, real instances, a folder of 1,000 files',
    addresses: 'service',
    instances: 'real',
    maxEntries: 1000,
    control: true,
  },
}

/** A wrong secret beside a flood of forgeries, then the right one, and a redrive that is killed and begun again. */
export async function runWrongSecret({ flood, genuine, forged }, onEnd) {
  const { name, addresses, instances, before = BEFORE, control = false } = FLOODS[flood]
  const { maxEntries = DEFAULTS.maxEntries } = FLOODS[flood]
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
  const madeUp = (index) => `made-up-${index}`
  const real = (index) => `instance-${index % INSTANCES}`
  const instance = instances === 'real' ? real : madeUp

  // While the secret is right, forgeries only reach the reserve.
  let receiver = await start(secret)
  for (let index = 0; index < before; index++) await emit(index)
  if (before > 0) await sendForgeries({ port, count: FORGED_BEFORE, addresses, instance })
  const reserve = before > 0 ? (await listKept(folder)).length : 0
  await delay(1500)
  await receiver.stop('SIGKILL')
  const handledBefore = (await handled()).length

  // The wrong secret: genuine deliveries are spread over the flood.
  receiver = await start(WRONG)
  const wanted = new Set()
  const sending = []
  const every = forged / genuine
  const watch = watchFolder(folder)
  const begun = performance.now()
  const statuses = await sendForgeries({
    ...{ port, count: forged, addresses, instance },
    pace(index) {
      while (wanted.size + sending.length < genuine * 2 && sending.length * every <= index) {
        if (sending.length >= genuine) break
        sending.push(emit(sending.length).then((id) => wanted.add(id)))
      }
    },
  })
  while (sending.length < genuine) sending.push(emit(sending.length).then((id) => wanted.add(id)))
  await Promise.all(sending)
  const seconds = (performance.now() - begun) / 1000
  const { most, mostBytes } = await watch.stop()
  await receiver.stop('SIGKILL')
  const kept = (await listKept(folder)).length
  const wrongSizes = await countWrongSizes(folder)

  // The right secret again. The first redrive is killed after a third of the deliveries.
  receiver = await start(secret)
  const redrive = () =>
    startProgram(process.execPath, [COMMAND, 'redrive', folder, '--to', url, '--json'], {
      env: { WEBHOOK_SECRET: secret },
    })
  const first = redrive()
  let ended = false
  void first.ended.then(() => {
    ended = true
  })
  while (!ended && (await handled()).length - handledBefore < genuine / 3) await delay(10)
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
    [wanted.size !== genuine, `${wanted.size} different genuine deliveries were sent`],
    [Object.keys(statuses).join() !== '401', `forgeries were answered ${JSON.stringify(statuses)}`],
    [before > 0 && handledBefore !== before, `${handledBefore} of ${before} were handled before`],
    [reserve > DEFAULTS.reserve, `${reserve} were kept beside accepted deliveries`],
    [most > maxEntries, `${most} files`],
    [mostBytes > DEFAULTS.maxBytes, `${mostBytes} bytes`],
    [wrongSizes > 0, `${wrongSizes} files whose name tells another size`],
    [!control && lost > 0, `${lost} genuine deliveries were lost`],
    [control && lost === 0, 'the control lost nothing, so the flood proves nothing'],
    [twice > 0, `${twice} were handled twice`],
    [strange > 0, `${strange} forgeries were handled`],
    // The control leaves nothing genuine for the second redrive, which then reports that everything is rejected.
    [!control && code !== 0, `redrive ended with ${code}: ${stderr}`],
    [third.stdout.includes('"delivered"'), 'a third redrive delivered again'],
  ]
  return {
    version: redis.version,
    figures: {
      forger: name,
      genuine: wanted.size,
      forgeries: forged,
      'forgeries/s': Math.round(forged / seconds),
      'kept before, in the reserve': reserve,
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

  async function emit(index) {
    const options = { instanceId: real(index) }
    const [report] = await emulator.emit('message.received', { text: 'genuine' }, options)
    return report.id
  }

  async function handled() {
    return (await readFile(journal, 'utf8')).split('\n').filter((line) => line !== '')
  }
}

/** Looks into the folder all the time. The names tell the sizes. */
function watchFolder(folder) {
  let [most, mostBytes, stopped] = [0, 0, false]
  const watching = (async () => {
    while (!stopped) {
      const names = (await readdir(folder)).filter(
        (name) => name.endsWith('.json') && name !== '.senders.json',
      )
      const bytes = names.map((name) => Number(/-(\d+)\.json$/.exec(name)?.[1]))
      most = Math.max(most, names.length)
      mostBytes = Math.max(
        mostBytes,
        bytes.reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0),
      )
      await delay(250)
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

async function countWrongSizes(folder) {
  let wrong = 0
  for (const name of await listKept(folder)) {
    const { size } = await stat(join(folder, name))
    if (!name.endsWith(`-${size}.json`)) wrong += 1
  }
  return wrong
}
