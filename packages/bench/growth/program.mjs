// What is measured as it grows: node --expose-gc program.mjs '{ "name", "rounds", "places" }'. Answers on standard output.
import { interleaved } from '../ratios.mjs'
import { samplerOf } from '../verdict/block.mjs'
import { SERIES } from './series.mjs'

const { name, rounds, places } = JSON.parse(process.argv[2])
const { contender, reference } = SERIES[name]
const contenders = []
const heap = {}
for (const place of places) {
  const before = used()
  const made = contender(place)
  for (let call = 0; call < (made.warm ?? 0); call++) await made.call(made.argument())
  heap[place] = used() - before
  contenders.push({ name: String(place), sample: await samplerOf(made) })
  if (reference) {
    contenders.push({ name: `textbook ${place}`, sample: await samplerOf(reference(place)) })
  }
}
contenders.push({ name: 'control', sample: await samplerOf(contender(places[0])) })
console.log(JSON.stringify({ heap, samples: await interleaved(contenders, rounds) }))

/** What is held, in bytes. */
function used() {
  gc()
  return process.memoryUsage().heapUsed
}
