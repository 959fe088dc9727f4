// Measures one series: node --expose-gc program.mjs '{ "name", "rounds", "places" }'. Prints JSON.
import { memoryInUse } from '../memory.mjs'
import { interleaved } from '../statistics.mjs'
import { samplerOf } from '../verification/block.mjs'
import { SERIES } from './series.mjs'

const { name, rounds, places } = JSON.parse(process.argv[2])
const { subject, reference } = SERIES[name]
const subjects = []
const heap = {}
for (const place of places) {
  const before = memoryInUse().heap
  const made = subject(place)
  for (let call = 0; call < (made.warm ?? 0); call++) await made.call(made.argument())
  heap[place] = memoryInUse().heap - before
  subjects.push({ name: String(place), sample: await samplerOf(made) })
  if (reference) {
    subjects.push({ name: `plain ${place}`, sample: await samplerOf(reference(place)) })
  }
}
subjects.push({ name: 'control', sample: await samplerOf(subject(places[0])) })
console.log(JSON.stringify({ heap, samples: await interleaved(subjects, rounds) }))
