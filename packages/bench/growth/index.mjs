import { fileURLToPath } from 'node:url'
import { run as execute } from '@webhook-receiver/checks/step.mjs'
import { bytes, count, spread, time } from '../figures.mjs'
import { mainOf } from '../runtimes.mjs'
import { quartiles, ratioOf } from '../statistics.mjs'
import { SERIES } from './series.mjs'
import { slopeOf } from './slope.mjs'

const PROGRAM = fileURLToPath(new URL('./program.mjs', import.meta.url))

/** What each series is called, and how its places are written. */
const WORDS = {
  size: { title: 'delivery, by the size of its body', text: bytes },
  secrets: { title: 'delivery, by the secrets in rotation' },
  tenants: { title: 'delivery, by the tenants of a secret function' },
  schemas: { title: 'delivery, by the schemas (Zod)' },
  ids: { title: 'claim, by the ids in the memory store' },
}

const SMOKE_PLACES = 2

/** How the cost of a delivery grows with what a receiver or a store holds, and how much memory that takes. */
export async function run({ quick, smoke, runtimes, progress }) {
  const { name: node, binary } = mainOf(runtimes)
  const rounds = smoke ? 1 : quick ? 5 : 31
  const results = {}
  for (const [name, { places }] of Object.entries(SERIES)) {
    progress(`growth of ${name} on ${node} …`)
    const work = { name, rounds, places: smoke ? places.slice(0, SMOKE_PLACES) : places }
    const printed = await execute(binary, ['--expose-gc', PROGRAM, JSON.stringify(work)])
    results[name] = { places: work.places, ...JSON.parse(printed) }
  }
  const named = Object.entries(results)
  return {
    tables: [tableOf(named, node)],
    json: results,
  }
}

function tableOf(named, node) {
  return {
    title: `CPU time as things grow (${node})`,
    head: ['', 'from', 'to', 'CPU time', 'ratio', 'control', 'exponent', 'heap held'],
    rows: named.map(([name, result]) => {
      const { places, samples, heap } = result
      const { title, text = count } = WORDS[name]
      const [first, last] = [places[0], places.at(-1)]
      const took = (place) => time(quartiles(samples[place]).median)
      return [
        title,
        text(first),
        text(last),
        `${took(first)} → ${took(last)}`,
        spread(ratioOf(samples[last], samples[first])),
        spread(ratioOf(samples.control, samples[first])),
        inSlope(name, result).length > 1 ? spread(slope(name, result)) : '–',
        heap[last] < 100_000 ? '< 0.1 MiB' : bytes(heap[last]),
      ]
    }),
    note: 'The exponent is that of the cost of all together: 1 is linear, 2 quadratic. For the size of a body it is relative to plain node:crypto and JSON.parse.',
  }
}

/**
 * Of a body, how its cost grows relative to plain node:crypto; of what a receiver holds, the cost of one
 * delivery for each of them. One slope for each round, and their quartiles.
 */
function slope(name, result) {
  const { samples } = result
  const from = inSlope(name, result)
  const fit = (round, series = '') =>
    slopeOf(from.map((place) => [place, samples[series + place][round]]))
  const slopes = {
    size: (round) => 1 + fit(round) - fit(round, 'plain '),
    // One more secret is one more MAC for each delivery: there, the cost of one is the cost of all.
    secrets: (round) => fit(round),
  }
  const { [name]: one = (round) => 1 + fit(round) } = slopes
  return quartiles(samples.control.map((_, round) => one(round)))
}

function inSlope(name, { places }) {
  return places.filter((place) => place >= SERIES[name].least)
}
