import { bytes } from '@webhook-receiver/tools/figures.mjs'
import { captionOf, describeMachine } from '../machine.mjs'
import { messageOf } from '../messages.mjs'
import { startLoad } from '../processes.mjs'
import { mainOf } from '../runtimes.mjs'
import { interleaved } from '../statistics.mjs'
import { chartsOf } from './charts.mjs'
import { startMeasuredServer } from './measured-server.mjs'
import { FRAMEWORKS, subjectsOn } from './subjects.mjs'
import { LARGE, SMALL, summaryOf, tableOf } from './tables.mjs'

/** How many requests make a block. */
const BLOCKS = { [SMALL]: 1500, [LARGE]: 200 }

/**
 * The cost of a delivery over HTTP, on each framework, relative to the framework's own JSON parser. Each
 * round starts a fresh server for each subject and sends blocks of requests to them in turn.
 */
export async function run({ quick, smoke, runtimes, progress }) {
  const { name: node, binary } = mainOf(runtimes)
  const where = await startLoad(binary, progress)
  const [rounds, blocks, share] = smoke ? [1, 1, 0.02] : quick ? [1, 5, 1] : [4, 11, 1]
  const results = []
  try {
    for (const framework of FRAMEWORKS) {
      const subjects = subjectsOn(framework, binary)
      for (const size of [SMALL, LARGE]) {
        progress(`http: ${framework}, ${bytes(size)}, on ${node} …`)
        const samples = {}
        for (let round = 0; round < rounds; round++) {
          const counts = { blocks, block: Math.ceil(BLOCKS[size] * share), share }
          const taken = await oneRound(subjects, messageOf(size), counts, where)
          for (const [name, more] of Object.entries(taken)) {
            samples[name] = [...(samples[name] ?? []), ...more]
          }
        }
        results.push({ framework, size, samples })
      }
    }
  } finally {
    await where.load.stop()
  }
  return {
    summary: summaryOf(results, node),
    tables: [tableOf(results, node)],
    charts: chartsOf(results, captionOf(describeMachine(), node)),
    json: results,
  }
}

async function oneRound(subjects, body, { blocks, block, share }, where) {
  const servers = []
  try {
    for (const subject of subjects) servers.push(await startMeasuredServer(subject, body, where))
    for (const { warmUp } of servers) await warmUp(share)
    return await interleaved(
      servers.map(({ name, measure }) => ({ name, sample: () => measure(block) })),
      blocks,
    )
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}
