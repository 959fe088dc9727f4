import { bytes, spread } from '../figures.mjs'
import { FRAMEWORKS, subjectsOn } from '../http/subjects.mjs'
import { startLoad } from '../processes.mjs'
import { mainOf } from '../runtimes.mjs'
import { costOf } from './cost.mjs'
import { AT_ONCE, floodOf, SIZE } from './flood.mjs'

/** The CPU time of rejected requests, and the memory while many uploads are rejected. */
export async function run({ quick, smoke, runtimes, progress }) {
  const { name: node, binary } = mainOf(runtimes)
  const where = await startLoad(binary, progress)
  const scale = smoke ? 'smoke' : quick ? 'quick' : 'full'
  const results = []
  try {
    for (const framework of FRAMEWORKS) {
      for (const subject of subjectsOn(framework, binary)) {
        if (!subject.verifies) continue
        progress(`rejections: ${framework}, ${subject.name}, on ${node} …`)
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
    figures: Object.fromEntries(results.flatMap(figuresOf)),
    json: results,
  }
}

function tableOf(results, node) {
  return {
    title: `CPU time of a rejected request of 600 B relative to a valid one, and memory while ${AT_ONCE} uploads of ${bytes(SIZE)} are rejected at once (${node})`,
    head: [
      '',
      'unsigned, cold',
      'forged, cold',
      'unsigned, warm',
      'forged, warm',
      'memory, unsigned: first wave',
      'last wave',
      'memory, forged: first wave',
      'last wave',
    ],
    rows: results.map(({ framework, name, cost, flood }) => [
      `${framework}: ${name}`,
      ...[cost.cold, cost.warm].flatMap((sound) =>
        sound ? [spread(sound.unsigned), spread(sound.forged)] : ['noisy', 'noisy'],
      ),
      ...[flood?.unsigned, flood?.forged].flatMap(firstAndLast),
    ]),
    note: 'Cold: the first 6,000 requests of a process. Noisy: the control failed. Memory is resident memory above the idle server. A forged upload has a signature of the right form: it must be read before it can be rejected.',
  }
}

function figuresOf({ framework, name, cost }) {
  return Object.entries(cost).flatMap(([phase, sound]) =>
    Object.entries(sound ?? {}).map(([kind, { median }]) => [
      `${framework}, ${name}: ${kind}, ${phase}`,
      median,
    ]),
  )
}

function firstAndLast(peaks) {
  return peaks ? [peaks[0], peaks.at(-1)].map((peak) => `+ ${bytes(peak)}`) : ['–', '–']
}
