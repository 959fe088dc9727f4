// One run of one backend, in a process of its own: node run.mjs BACKEND SAMPLES SEED CLASSES.
// Prints the figures as JSON.
import { register } from 'node:module'
import { forger } from './classes.mjs'
import { sample } from './sampler.mjs'
import { largestT } from './welch.mjs'

const [backend, samples, seed, chosen] = process.argv.slice(2)
if (backend === 'web') register('./web-backend.mjs', import.meta.url)
const { mac } = await import(`../../packages/core/dist/mac-${backend}.js`)
// Only now, so that core finds the backend.
const { subjects } = await import('./subjects.mjs')

const results = []
const forged = forger(Number(seed), chosen === 'obvious')
for (const subject of await subjects(forged, mac, backend)) {
  // Most of the time of these is a thread's that computes the MAC.
  const count = Math.ceil(Number(samples) / (backend === 'web' && subject.waits ? 5 : 1))
  const { times, classes } = await sample(subject, forged.class, count)
  const { name, control } = subject
  results.push({ name, control, samples: count, ...largestT(times, classes) })
}
console.log(JSON.stringify(results))
