import { bytes, spread } from '../figures.mjs'
import { PLAIN, RECEIVER, SERVERS, subjectsOn, WITH_BODY } from '../http/subjects.mjs'
import { startLoad } from '../processes.mjs'
import { costOf } from './cost.mjs'
import { AT_ONCE, floodOf, SIZE } from './flood.mjs'

/** The CPU time of rejected requests, and the memory while many uploads are rejected. */
export async function run({ quick, smoke, runtimes, progress }) {
  const scale = smoke ? 'smoke' : quick ? 'quick' : 'full'
  const results = []
  for (const { name: node, binary } of runtimes) {
    const where = await startLoad(binary, progress)
    try {
      for (const framework of SERVERS) {
        for (const usual of subjectsOn(framework, binary)) {
          if (![RECEIVER, PLAIN].includes(usual.name)) continue
          const subject = usual.name === RECEIVER ? { ...usual, server: WITH_BODY } : usual
          progress(`rejections: ${framework}, ${subject.name}, on ${node} …`)
          const cost = await costOf(subject, where, scale)
          const flood = await floodOf(subject, where, scale)
          results.push({ name: `${framework}: ${subject.name}, ${node}`, cost, flood })
        }
      }
    } finally {
      await where.load.stop()
    }
  }
  return {
    tables: [costTable(results), memoryTable(results)],
    figures: Object.fromEntries(results.flatMap(figuresOf)),
    json: results,
  }
}

function costTable(results) {
  return {
    title: 'CPU time of a rejected request, unsigned / forged, relative to a valid one',
    head: ['', ...Object.keys(results[0].cost)],
    rows: results.map(({ name, cost }) => [
      name,
      ...Object.values(cost).map((sound) =>
        sound ? `${spread(sound.unsigned)} / ${spread(sound.forged)}` : 'noisy',
      ),
    ]),
    note: 'The receiver responds to a valid one with a body as long. Cold: the first 6,000 requests of a process. Noisy: the control failed. A forged request has a signature of the right form: it must be read before it can be rejected.',
  }
}

function memoryTable(results) {
  return {
    title: `Resident memory above the idle server while ${AT_ONCE} uploads of ${bytes(SIZE)} are rejected at once, first / last wave`,
    head: ['', 'unsigned', 'forged'],
    rows: results.map(({ name, flood }) => [
      name,
      firstAndLast(flood?.unsigned),
      firstAndLast(flood?.forged),
    ]),
  }
}

function figuresOf({ name, cost }) {
  return Object.entries(cost).flatMap(([phase, sound]) =>
    Object.entries(sound ?? {}).map(([kind, { median }]) => [`${name}: ${kind}, ${phase}`, median]),
  )
}

function firstAndLast(peaks) {
  return peaks ? [peaks[0], peaks.at(-1)].map((peak) => `+ ${bytes(peak)}`).join(' / ') : '–'
}
