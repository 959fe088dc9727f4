import { bytes } from '@webhook-receiver/tools/figures.mjs'
import { captionOf, describeMachine } from '../machine.mjs'
import { interleaved } from '../ratios.mjs'
import { mainOf } from '../runtimes.mjs'
import { messageOf } from './body.mjs'
import { chartsOf } from './charts.mjs'
import { contendersOn, FRAMEWORKS } from './contenders.mjs'
import { startContestant } from './contestant.mjs'
import { goalsOf } from './figures.mjs'
import { startLoad } from './pinning.mjs'
import { tableOf } from './tables.mjs'

/** The bodies, and how many of them make a block. */
const SIZES = [
  { size: 600, block: 1500 },
  { size: 64 * 1024, block: 200 },
]

/**
 * What a delivery costs over HTTP, framework by framework, against the framework's own JSON parser (the
 * floor). Each round starts a fresh server for each contender; blocks of requests go to them in turn.
 */
export async function run({ quick, smoke, runtimes, progress }) {
  const { name: node, binary } = mainOf(runtimes)
  const where = await startLoad(binary, progress)
  const [rounds, blocks, share] = smoke ? [1, 1, 0.02] : quick ? [1, 5, 1] : [4, 11, 1]
  const results = []
  try {
    for (const framework of FRAMEWORKS) {
      const contenders = contendersOn(framework, binary)
      for (const { size, block } of SIZES) {
        progress(`http: ${framework}, ${bytes(size)}, on ${node} …`)
        const samples = {}
        for (let round = 0; round < rounds; round++) {
          const counts = { blocks, block: Math.ceil(block * share), share }
          const taken = await oneRound(contenders, messageOf(size), counts, where)
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
  const caption = captionOf(describeMachine(), node)
  return {
    tables: FRAMEWORKS.map((framework) => tableOf(framework, results)),
    goals: goalsOf(results),
    charts: chartsOf(results, caption),
    json: results,
  }
}

/** The blocks of every contender, each on a server of its own that was started for this round. */
async function oneRound(contenders, body, { blocks, block, share }, where) {
  const contestants = []
  try {
    for (const contender of contenders) {
      contestants.push(await startContestant(contender, body, where))
    }
    for (const { warmUp } of contestants) await warmUp(share)
    return await interleaved(
      contestants.map(({ name, measure }) => ({ name, sample: () => measure(block) })),
      blocks,
    )
  } finally {
    await Promise.all(contestants.map(({ stop }) => stop()))
  }
}
