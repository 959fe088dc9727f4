// What runs on each Node: node --expose-gc program.mjs '{ "backend", "sizes", "rounds", "dense" }'. Answers on standard output.
import { register } from 'node:module'
import { interleaved } from '../ratios.mjs'
import { samplerOf } from './block.mjs'
import { denseOf, LEAST_DELIVERY, messageOf } from './bodies.mjs'

const { backend, sizes, rounds, shapes } = JSON.parse(process.argv[2])
if (backend === 'web') register('./web-backend.mjs', import.meta.url)
const { oursOn } = await import('./ours.mjs')
const { TEXTBOOK } = await import('./textbook.mjs')
const { LIBRARIES } = await import('./libraries.mjs')

/** The dense series is only about the parse; the libraries do not know which backend is ours. */
const entries = {
  message: [...TEXTBOOK, ...oursOn(backend), ...(backend === 'node' ? LIBRARIES : [])],
  dense: [...TEXTBOOK, ...oursOn(backend)].filter(({ work }) => work === 'parsed'),
}
const MAKERS = { message: messageOf, dense: denseOf }

const { loaded, unloadable } = await load(entries.message)
const series = []
for (const shape of shapes) {
  for (const size of sizes) {
    const samples = await measure(entries[shape], MAKERS[shape], size)
    if (samples) series.push({ shape, size, samples })
  }
}
console.log(JSON.stringify({ unloadable, series }))

/** Some need a newer Node than others. */
async function load(contenders) {
  const loaded = new Map()
  const unloadable = []
  for (const { name, load } of contenders) {
    try {
      loaded.set(name, await load())
    } catch (error) {
      unloadable.push({ name, why: error.message })
    }
  }
  return { loaded, unloadable }
}

async function measure(contenders, bodyOf, size) {
  if (bodyOf === denseOf && size < 2 * LEAST_DELIVERY) return undefined
  const body = bodyOf(size)
  const taking = contenders.filter(
    ({ name, work }) => loaded.has(name) && (size >= LEAST_DELIVERY || !needsDelivery(name, work)),
  )
  const samplers = []
  for (const { name } of taking) {
    const make = loaded.get(name)
    await control(name, make, body)
    const contender = make(body, body)
    samplers.push({ name, contender, sample: await samplerOf(contender) })
  }
  const samples = await interleaved(samplers, rounds)
  // What took longer than the tolerance measured refusals at its end.
  for (const { name, contender } of samplers) {
    if (!(await verdictOf(contender))) throw new Error(`${name} refuses what it accepted before.`)
  }
  return samples
}

/** Ours looks for the envelope of a delivery in what it parses. */
function needsDelivery(name, work) {
  return name.startsWith('ours') && (work === 'parsed' || work === 'request')
}

/** A contender accepts what is genuine and refuses another body under the same signature. */
async function control(name, make, body) {
  const other = Buffer.from(body)
  other[other.lastIndexOf('"') - 1] ^= 1
  if (!(await verdictOf(make(body, body)))) throw new Error(`${name} refuses what is genuine.`)
  if (await verdictOf(make(body, other))) throw new Error(`${name} accepts a wrong signature.`)
}

async function verdictOf({ argument, call, accepted = Boolean }) {
  try {
    return accepted(await call(argument?.()))
  } catch {
    return false
  }
}
