import { spread, time } from '../figures.mjs'
import { startProcess } from '../processes.mjs'
import { quartiles, ratioOf, tooNoisy } from '../statistics.mjs'
import { backends, problemOf } from './backends.mjs'

const SCALES = { smoke: [1, 2, 20], quick: [4, 15, 500], full: [4, 50, 1000] }

/** The CPU time of a delivery with each store, against one claim and one mark with the same client. */
export async function run({ quick, smoke, runtimes, progress }) {
  const [processes, blocks, block] = SCALES[smoke ? 'smoke' : quick ? 'quick' : 'full']
  const results = []
  const remarks = []
  for (const { name: node, version, binary } of runtimes) {
    for (const name of Object.keys(backends)) {
      const problem = await problemOf(name, version)
      if (problem !== undefined) {
        remarks.push(`${name} on ${node} was not measured: ${problem}.`)
        continue
      }
      progress(`stores: ${name}, on ${node} …`)
      const samples = {}
      for (let run = 0; run < processes; run++) {
        const url = new URL('./program.mjs', import.meta.url)
        const program = await startProcess(url, [name, blocks, block], { node: binary })
        for (const [subject, more] of Object.entries(await program.reply())) {
          samples[subject] = [...(samples[subject] ?? []), ...more]
        }
        await program.stop()
      }
      results.push({ name: `${name}, ${node}`, samples })
    }
  }
  const sound = results.filter(({ samples }) => !tooNoisy(ratioOf(samples.control, samples.least)))
  for (const { name } of results.filter((result) => !sound.includes(result))) {
    remarks.push(`${name}: too noisy, by the control.`)
  }
  return {
    tables: [
      {
        title: 'CPU time of a delivery with a store, against one claim and one mark',
        head: ['', 'with the store', 'relative'],
        rows: sound.map(({ name, samples: { store, least } }) => [
          name,
          time(quartiles(store).median * 1000),
          spread(ratioOf(store, least)),
        ]),
      },
    ],
    remarks,
    figures: Object.fromEntries(
      sound.map(({ name, samples: { store, least } }) => [name, ratioOf(store, least).median]),
    ),
    json: results,
  }
}
