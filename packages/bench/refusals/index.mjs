import { bytes, spread } from '@webhook-receiver/tools/figures.mjs'
import { FRAMEWORKS, subjectsOn } from '../http/subjects.mjs'
import { startLoad } from '../processes.mjs'
import { mainOf } from '../runtimes.mjs'
import { costOf } from './cost.mjs'
import { AT_ONCE, floodOf, SIZE } from './flood.mjs'

/** The CPU time of refused requests, and the memory while many uploads are refused. */
export async function run({ quick, smoke, runtimes, progress }) {
  const { name: node, binary } = mainOf(runtimes)
  const where = await startLoad(binary, progress)
  const scale = smoke ? 'smoke' : quick ? 'quick' : 'full'
  const results = []
  try {
    for (const framework of FRAMEWORKS) {
      for (const subject of subjectsOn(framework, binary)) {
        if (!subject.verifies) continue
        progress(`refusals: ${framework}, ${subject.name}, on ${node} …`)
        const cost = await costOf(subject, where, scale)
        const flood = await floodOf(subject, where, scale)
        results.push({ framework, name: subject.name, cost, flood })
      }
    }
  } finally {
    await where.load.stop()
  }
  return {
    tables: [tableOf(results, node)],
    charts: [],
    json: results,
  }
}

function tableOf(results, node) {
  return {
    title: `CPU time of a refused request of 600 B relative to a genuine one, and memory while ${AT_ONCE} uploads of ${bytes(SIZE)} are refused at once (${node})`,
    head: [
      '',
      'CPU, unsigned',
      'CPU, forged',
      'memory, unsigned: first wave',
      'last wave',
      'memory, forged: first wave',
      'last wave',
    ],
    rows: results.map(({ framework, name, cost, flood }) => [
      `${framework}: ${name}`,
      `${spread(cost.unsigned)}${cost.noisy ? ' too noisy' : ''}`,
      spread(cost.forged),
      ...[flood?.unsigned, flood?.forged].flatMap(firstAndLast),
    ]),
    note: 'Memory is resident memory above the idle server. A forged upload has a signature of the right form: it must be read before it can be refused.',
  }
}

function firstAndLast(peaks) {
  return peaks ? [peaks[0], peaks.at(-1)].map((peak) => `+ ${bytes(peak)}`) : ['–', '–']
}
