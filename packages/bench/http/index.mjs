import { bytes } from '../figures.mjs'
import { messageOf } from '../messages.mjs'
import { startLoad } from '../processes.mjs'
import { interleaved, merged } from '../statistics.mjs'
import { BLOCKS, COLD, SMALL, startMeasuredServer } from './measured-server.mjs'
import { SERVERS, subjectsOn } from './subjects.mjs'
import { figuresOf, tableOf } from './tables.mjs'

const SCALES = {
  smoke: { processes: 1, blocks: 1, share: 0.02 },
  quick: { processes: 4, blocks: 1, share: 1 },
  full: { processes: 6, blocks: 5, share: 1 },
}

/**
 * The cost of a delivery over HTTP, on each framework, relative to the framework's own JSON parser: the first requests of
 * a process, and blocks of each size when it is warm. Each subject has several processes.
 */
export async function run({ quick, smoke, runtimes, progress }) {
  const scale = SCALES[smoke ? 'smoke' : quick ? 'quick' : 'full']
  const results = []
  for (const runtime of runtimes) {
    results.push(...(await resultsOn(runtime, scale, progress)))
  }
  return { tables: [tableOf(results)], figures: figuresOf(results), json: results }
}

async function resultsOn({ name: node, binary }, { processes, ...scale }, progress) {
  const where = await startLoad(binary, progress)
  const results = []
  try {
    for (const framework of SERVERS) {
      progress(`http: ${framework}, on ${node} …`)
      const subjects = subjectsOn(framework, binary)
      const rounds = []
      for (let round = 0; round < processes; round++) {
        rounds.push(await oneRound(subjects, scale, where))
      }
      for (const phase of Object.keys(rounds[0])) {
        const samples = merged(rounds.map((taken) => taken[phase]))
        results.push({ node, framework, phase, samples })
      }
    }
  } finally {
    await where.load.stop()
  }
  return results
}

/** The first blocks of each size, which do not count: a large body takes other ways through the code than a small one. */
const WARM_UP_BLOCKS = 4

/** By phase: the samples of each subject. */
async function oneRound(subjects, { blocks, share }, where) {
  const servers = []
  const measureAll = (size, requests, ...rounds) => {
    const [body, count] = [messageOf(size), Math.ceil(requests * share)]
    const sampled = servers.map(({ name, measure }) => ({
      name,
      sample: () => measure(body, count),
    }))
    return interleaved(sampled, ...rounds)
  }
  try {
    for (const subject of subjects) servers.push(await startMeasuredServer(subject, where))
    const taken = { cold: await measureAll(SMALL, COLD, 1, 0) }
    for (const { warmUp } of servers) await warmUp(share)
    for (const [size, count] of BLOCKS) {
      taken[bytes(size)] = await measureAll(size, count, blocks, WARM_UP_BLOCKS)
    }
    return taken
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}
