import { bytes } from '@webhook-receiver/tools/figures.mjs'
import { captionOf, describeMachine } from '../machine.mjs'
import { messageOf } from '../messages.mjs'
import { startLoad } from '../processes.mjs'
import { mainOf } from '../runtimes.mjs'
import { interleaved } from '../statistics.mjs'
import { chartsOf } from './charts.mjs'
import { startMeasuredServer } from './measured-server.mjs'
import { FRAMEWORKS, subjectsOn } from './subjects.mjs'
import { alternativesTable, LARGE, nodesTable, SMALL, summaryOf, tableOf } from './tables.mjs'

/** How many requests make a block. */
const BLOCKS = { [SMALL]: 1500, [LARGE]: 200 }

/**
 * The cost of a delivery over HTTP, on each framework, relative to the framework's own JSON parser. Each
 * round starts a fresh server for each subject and sends blocks of requests to them in turn. Large bodies are sent on
 * one Node only.
 */
export async function run({ quick, smoke, runtimes, progress }) {
  const main = mainOf(runtimes)
  const scale = smoke ? [1, 1, 0.02] : quick ? [1, 5, 1] : [2, 9, 1]
  const results = []
  for (const runtime of runtimes) {
    const sizes = runtime === main ? [SMALL, LARGE] : [SMALL]
    results.push(...(await resultsOn(runtime, sizes, scale, progress)))
  }
  const onMain = results.filter(({ node }) => node === main.name)
  return {
    summary: summaryOf(onMain, main.name),
    tables: [
      tableOf(onMain, main.name),
      alternativesTable(results),
      ...(runtimes.length > 1 ? [nodesTable(results)] : []),
    ],
    charts: chartsOf(onMain, captionOf(describeMachine(), main.name)),
    json: results,
  }
}

async function resultsOn({ name: node, binary }, sizes, [rounds, blocks, share], progress) {
  const where = await startLoad(binary, progress)
  const results = []
  try {
    for (const framework of FRAMEWORKS) {
      const subjects = subjectsOn(framework, binary)
      for (const size of sizes) {
        progress(`http: ${framework}, ${bytes(size)}, on ${node} …`)
        const samples = {}
        for (let round = 0; round < rounds; round++) {
          const counts = { blocks, block: Math.ceil(BLOCKS[size] * share), share }
          const taken = await oneRound(subjects, messageOf(size), counts, where)
          for (const [name, more] of Object.entries(taken)) {
            samples[name] = [...(samples[name] ?? []), ...more]
          }
        }
        results.push({ node, framework, size, samples })
      }
    }
  } finally {
    await where.load.stop()
  }
  return results
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
