// What runs on each Node: node --expose-gc program.mjs '{ "backend", "shapes", "sizes", "rounds" }'. Prints JSON.
import { register } from 'node:module'
import { denseOf, LEAST_DELIVERY, messageOf } from '../messages.mjs'
import { interleaved } from '../statistics.mjs'
import { samplerOf } from './block.mjs'

const { backend, sizes, rounds, shapes } = JSON.parse(process.argv[2])
if (backend === 'web') register('@webhook-receiver/trials/web-backend.mjs', import.meta.url)
// Only now, so that core finds the backend.
const { receiverOn } = await import('./receiver.mjs')
const { PLAIN } = await import('./plain.mjs')
const { LIBRARIES } = await import('./libraries.mjs')

/** Dense JSON only matters to what parses; the libraries do not depend on the backend. */
const own = [...PLAIN, ...receiverOn(backend)]
const libraries = backend === 'node' ? LIBRARIES : []
const SHAPES = {
  message: { bodyOf: messageOf, subjects: [...own, ...libraries] },
  dense: { bodyOf: denseOf, subjects: own.filter(({ work }) => work === 'parse') },
}

const loaded = new Map()
for (const { name, load } of own) loaded.set(name, await load())
const unloadable = await loadLibraries()
const series = []
for (const shape of shapes) {
  for (const size of sizes) {
    if (shape === 'dense' && size < 2 * LEAST_DELIVERY) continue
    series.push({ shape, size, samples: await measure(SHAPES[shape], size) })
  }
}
console.log(JSON.stringify({ unloadable, series }))

/** Some need a newer Node. */
async function loadLibraries() {
  const failed = []
  for (const { name, load } of libraries) {
    try {
      loaded.set(name, await load())
    } catch (error) {
      failed.push({ name, why: error.message })
    }
  }
  return failed
}

async function measure({ bodyOf, subjects }, size) {
  const body = bodyOf(size)
  const fitting = subjects.filter(
    ({ name }) => loaded.has(name) && (size >= LEAST_DELIVERY || !name.startsWith('receive')),
  )
  const samplers = []
  for (const { name } of fitting) {
    const make = loaded.get(name)
    await checkSubject(name, make, body)
    const subject = make(body, body)
    samplers.push({ name, subject, sample: await samplerOf(subject) })
  }
  const samples = await interleaved(samplers, rounds)
  // A run that took longer than the tolerance would have measured rejections at its end.
  for (const { name, subject } of samplers) {
    if (!(await accepts(subject))) throw new Error(`${name} rejects what it accepted before.`)
  }
  return samples
}

/** A subject accepts what is valid and rejects another body with the same signature. */
async function checkSubject(name, make, body) {
  const other = Buffer.from(body)
  other[other.lastIndexOf('"') - 1] ^= 1
  if (!(await accepts(make(body, body)))) throw new Error(`${name} rejects what is valid.`)
  if (await accepts(make(body, other))) throw new Error(`${name} accepts a wrong signature.`)
}

async function accepts({ argument, call, accepted = Boolean }) {
  try {
    return accepted(await call(argument?.()))
  } catch {
    return false
  }
}
