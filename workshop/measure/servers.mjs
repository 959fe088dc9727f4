import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { openConnections } from './load.mjs'
import { sizeText } from './messages.mjs'
import { startServer } from './processes.mjs'
import { forged, requestOf } from './services.mjs'
import { compared, interleaved, shuffled } from './statistics.mjs'

/**
 * How much is measured: the requests before the first sample, until their cost no longer falls, which takes Node 20 some 5,000 and Node 24
 * some 16,000; those of a turn; and the samples of each process. With fewer before it, a sample has a large share of what the compiler takes,
 * which depends on how much code there is and not on how often it runs. A sample is the mean of short turns, which the servers take in a random
 * order: whatever else the machine does slows all of them down, and each sample has its share of collected garbage.
 */
const SCALES = {
  full: { warmUp: 20_000, requests: 50, turns: 30, samples: 8 },
  smoke: { warmUp: 20, requests: 10, turns: 1, samples: 1 },
}

/** A large body costs much, and few of them say the same. */
const LARGE = 32 * 1024

/**
 * Keeps memory that was freed. In some processes, by how their memory happens to lie, glibc would return it after each collection and ask for
 * it again, which adds a tenth to a request of 8 KiB.
 */
const MEMORY = { MALLOC_TRIM_THRESHOLD_: String(2 ** 30), MALLOC_TOP_PAD_: String(2 ** 26) }

/** Of the bodies that are sent, in bytes. */
export const SIZES = [600, 8 * 1024]

/** The most processes of an arm before a figure is left undecided. */
const MOST = 16

/** What `compared` says of `head`, `base` and `control` at each size, when it is decided. */
export async function compareArms(arms, isSmoke) {
  const samples = new Map(SIZES.map((size) => [size, { head: [], base: [], control: [] }]))
  const undecided = new Map(samples)
  for (let started = 0; started < (isSmoke ? 1 : MOST) && undecided.size > 0; started++) {
    await addSamples(arms, undecided, SCALES[isSmoke ? 'smoke' : 'full'])
    for (const [size, taken] of undecided) {
      const { ends, ratio, control } = compared(taken)
      console.error(`  ${sizeText(size)}: ${ratio.toFixed(2)}, control ${control.toFixed(2)} …`)
      if (ends) undecided.delete(size)
    }
  }
  return Array.from(samples, ([size, taken]) => [size, compared(taken)])
}

/**
 * Starts a process of each arm, which http-server.mjs describes, and adds what a request costs it, in µs of CPU, to the samples: by the
 * size, then by the name of the arm.
 */
async function addSamples(arms, samples, { warmUp, requests, turns, samples: count }) {
  pin(process.pid, 1)
  const servers = {}
  try {
    for (const name of shuffled(Object.keys(arms))) servers[name] = await start(arms, name)
    const [first] = samples.keys()
    for (const [size, bySize] of samples) {
      const share = Math.min(1, LARGE / size)
      const samplers = {}
      for (const [name, server] of Object.entries(servers)) {
        const request = await requestOf(arms[name].service, size)
        // A process that is warm meets another size.
        const before = size === first ? warmUp : warmUp / 10
        await accepted(server, request, Math.ceil(before * share))
        samplers[name] = () => cpuOf(server, request, requests)
      }
      for (let added = 0; added < count; added++) {
        const taken = await interleaved(samplers, Math.ceil(turns * share))
        for (const [name, each] of Object.entries(taken)) bySize[name].push(mean(each))
      }
    }
  } finally {
    await Promise.all(Object.values(servers).map(({ stop }) => stop()))
  }
}

/** The checkout lacks what the application needs, or its packages do not take the options. */
export class CannotStart extends Error {
  constructor(arm, cause) {
    super(`There is no application ${JSON.stringify(arm)}.`, { cause })
    this.arm = arm
  }
}

/** A server that was seen to run what its arm says, and to reject a forged request. */
async function start(arms, name) {
  const arm = arms[name]
  const { child, port, ask, stop } = await startServer(
    'http-server.mjs',
    [JSON.stringify(arm)],
    [],
    MEMORY,
  ).catch((error) => {
    throw new CannotStart(arm, error)
  })
  pin(child.pid, 0)
  const connections = openConnections(port)
  const server = {
    send: connections.send,
    ask,
    stop() {
      connections.close()
      return stop()
    },
  }
  const request = await requestOf(arm.service, 600)
  await accepted(server, request, 1)
  const rejected = await server.send(forged(request), 1)
  if (!rejected[401]) {
    throw new Error(`${name} responds to a forged request with ${Object.keys(rejected)}.`)
  }
  if (arm.form === 'handler') assertCalledBy(await ask('callers'), arm.root, arms)
  return server
}

/** The work of a delivery must have been called by the packages of the arm's checkout, and by none of another arm's. */
function assertCalledBy(callers, root, arms) {
  const others = Object.values(arms).filter((arm) => arm.root && arm.root !== root)
  const calledBy = (folder) => callers.includes(`${pathToFileURL(folder)}/packages/core/`)
  if (!calledBy(root) || others.some((arm) => calledBy(arm.root)))
    throw new Error(`The handler is not called by the packages in ${root}:\n${callers}`)
}

/** The µs of CPU that a server takes for each request; all of them must be accepted. */
async function cpuOf(server, request, requests) {
  const before = await server.ask('cpu')
  await accepted(server, request, requests)
  return ((await server.ask('cpu')) - before) / requests
}

async function accepted({ send }, request, amount) {
  const statuses = await send(request, amount)
  const others = Object.keys(statuses).filter((status) => !/^2/.test(status))
  if (others.length > 0) throw new Error(`Not all were accepted: ${JSON.stringify(statuses)}`)
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** Where the system can do that, the server has a core and the load another. */
function pin(pid, core) {
  spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', String(core), String(pid)])
}
