import { contendersOn, FRAMEWORKS } from '../http/contenders.mjs'
import { startLoad } from '../http/pinning.mjs'
import { mainOf } from '../runtimes.mjs'
import { costOf, costTable } from './cost.mjs'
import { floodOf, floodTable } from './flood.mjs'

/**
 * What it takes to refuse: the CPU of an unsigned request against a genuine one, and the memory of a
 * flood of uploads.
 */
export async function run({ quick, smoke, runtimes, progress }) {
  const { name: node, binary } = mainOf(runtimes)
  const where = await startLoad(binary, progress)
  const scale = smoke ? 'smoke' : quick ? 'quick' : 'full'
  const costs = []
  const floods = []
  try {
    for (const framework of FRAMEWORKS) {
      const verifying = contendersOn(framework, binary).filter(({ scheme }) => scheme !== 'none')
      for (const contender of verifying) {
        progress(`refusals: ${framework}, ${contender.name}, on ${node} …`)
        const names = { framework, name: contender.name }
        costs.push({ ...names, ...(await costOf(contender, where, scale)) })
        floods.push({ ...names, ...(await floodOf(contender, where, scale)) })
      }
    }
  } finally {
    await where.load.stop()
  }
  return {
    tables: [costTable(costs), floodTable(floods)],
    goals: [...goals('refusal', costs, 'ratio'), ...goals('flood', floods, 'growth')],
    charts: [],
    json: { costs, floods },
  }
}

/** A goal for ours on each framework, where it could be measured. */
function goals(id, results, measure) {
  return results
    .filter(({ name, [measure]: found }) => name === 'ours' && found)
    .map(({ framework, noisy, [measure]: { median, low, high } }) => {
      return { id, figure: median, spread: [low, high], where: framework, noisy }
    })
}
