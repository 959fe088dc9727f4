import { fileURLToPath } from 'node:url'
import { bytes, count, spread, time } from '@webhook-receiver/tools/figures.mjs'
import { run as execute } from '@webhook-receiver/tools/step.mjs'
import { lineChart } from '../charts.mjs'
import { captionOf, describeMachine } from '../machine.mjs'
import { quartiles, ratioOf, tooNoisy } from '../ratios.mjs'
import { mainOf } from '../runtimes.mjs'
import { SERIES } from './series.mjs'
import { slopeOf } from './slope.mjs'

const PROGRAM = fileURLToPath(new URL('./program.mjs', import.meta.url))

/** What each series is called, what grows in it, and what its cost is of. */
const WORDS = {
  size: { title: 'Cost of a delivery by the size of its body', grows: 'bytes', text: bytes },
  secrets: { title: 'Cost of a delivery by the secrets in rotation', grows: 'secrets' },
  tenants: { title: 'Cost of a delivery by the tenants, with a secret function', grows: 'tenants' },
  schemas: { title: 'Cost of a delivery by the schemas (Zod)', grows: 'schemas' },
  ids: { title: 'Cost of a claim by the ids in the memory store', grows: 'ids' },
}

/** The places of a smoke run: enough to see that it runs. */
const SMOKE_PLACES = 2

/** How the cost of a delivery grows with what a receiver holds, and what it then holds in memory. */
export async function run({ quick, smoke, runtimes, progress }) {
  const { name: node, binary } = mainOf(runtimes)
  const rounds = smoke ? 1 : quick ? 5 : 31
  const results = {}
  for (const [name, { places }] of Object.entries(SERIES)) {
    progress(`growth of ${name} on ${node} …`)
    const work = { name, rounds, places: smoke ? places.slice(0, SMOKE_PLACES) : places }
    const written = await execute(binary, ['--expose-gc', PROGRAM, JSON.stringify(work)])
    results[name] = { places: work.places, ...JSON.parse(written) }
  }
  const caption = captionOf(describeMachine(), node)
  const named = Object.entries(results)
  return {
    tables: named.map(([name, result]) => tableOf(name, result, node)),
    goals: smoke
      ? []
      : [...named.map(([name, result]) => goalOf(name, result)), ...memoryGoals(results)],
    charts: named.map(([name, result]) => chartOf(name, result, caption)),
    json: results,
  }
}

function tableOf(name, result, node) {
  const { title, grows, text = count } = WORDS[name]
  const { places, samples, heap } = result
  const textbook = samples[`textbook ${places[0]}`] !== undefined
  return {
    title: `${title} (${node})`,
    head: [
      grows,
      'CPU time',
      `by that at ${text(places[0])}`,
      ...(textbook ? ['by the textbook’s with JSON.parse'] : []),
      'heap held',
    ],
    rows: places.map((place) => [
      text(place),
      time(quartiles(samples[place]).median),
      spread(ratioOf(samples[place], samples[places[0]])),
      ...(textbook ? [spread(ratioOf(samples[place], samples[`textbook ${place}`]))] : []),
      heap[place] < 100_000 ? '< 0.1 MiB' : bytes(heap[place]),
    ]),
    note: [
      ...(inSlope(name, result).length > 1
        ? [
            `Slope of the cost of all together, from ${text(SERIES[name].least)}: ${spread(slope(name, result))} (1 is linear, 2 quadratic).`,
          ]
        : []),
      `The control, ${text(places[0])} again: ${spread(controlOf(result))}.`,
    ].join(' '),
  }
}

/**
 * Of a body, how its cost grows beyond the textbook’s; of what a receiver holds, the cost of one delivery for
 * each of them. One slope for each round, and their quartiles.
 */
function slope(name, result) {
  const { samples } = result
  const from = inSlope(name, result)
  const fit = (round, series = '') =>
    slopeOf(from.map((place) => [place, samples[series + place][round]]))
  // A secret more is another MAC for each delivery: there, the cost of one is the cost of all.
  const one = name === 'secrets' ? (round) => fit(round) : (round) => 1 + fit(round)
  const beyond = (round) => 1 + fit(round) - fit(round, 'textbook ')
  return quartiles(samples.control.map((_, round) => (name === 'size' ? beyond : one)(round)))
}

/** Below them fixed costs are all there is. */
function inSlope(name, { places }) {
  return places.filter((place) => place >= SERIES[name].least)
}

function goalOf(name, result) {
  const { median, low, high } = slope(name, result)
  return {
    id: `growth-${name}`,
    figure: median,
    spread: [low, high],
    noisy: tooNoisy(controlOf(result)),
  }
}

function memoryGoals({ tenants, ids }) {
  const last = ids.places.at(-1)
  return [
    { id: 'growth-memory-tenants', figure: tenants.heap[100_000] / tenants.heap[10_000] },
    { id: 'growth-memory-ids', figure: ids.heap[last] / last },
  ]
}

function controlOf({ places, samples }) {
  return ratioOf(samples.control, samples[places[0]])
}

function chartOf(name, { places, samples }, caption) {
  const { title, grows, text = count } = WORDS[name]
  const log = places.at(-1) > 100
  const first = samples[places[0]]
  const line = (label, series) => ({
    name: label,
    points: places.map((place) => {
      const { median, low, high } = ratioOf(series(place), first)
      return { x: place, y: median, low, high }
    }),
  })
  const lines = [line('webhook-receiver', (place) => samples[place])]
  if (name === 'size')
    lines.push(line('textbook and JSON.parse', (place) => samples[`textbook ${place}`]))
  const svg = lineChart({
    title,
    caption,
    x: { label: grows, log, ticks: places, text },
    y: { label: `by that at ${text(places[0])}`, log: name === 'size', text: count },
    series: lines,
  })
  return { file: `growth-${name}.svg`, svg }
}
