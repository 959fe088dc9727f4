// One run of one backend, in a process of its own: node run.mjs BACKEND SAMPLES SEED CLASSES.
// Prints the figures as JSON.
import { register } from 'node:module'
import { forger } from './classes.mjs'
import { sample } from './sampler.mjs'
import { largestT } from './welch.mjs'

const [backend, samples, seed, chosen] = process.argv.slice(2)
if (backend === 'web') register('./web-backend.mjs', import.meta.url)
register('./leaky-backend.mjs', import.meta.url)
const { mac } = await import(`../../packages/core/dist/mac-${backend}.js`)
const { mac: leaky } = await import(`../../packages/core/dist/mac-${backend}.js?leaky`)
// Only now, so that core finds the backend.
const { subjects } = await import('./subjects.mjs')

const results = []
const forged = forger(Number(seed), chosen === 'obvious')
for (const subject of await subjects(forged, { mac, leaky }, backend)) {
  // Most of the time of these is a thread's that computes the MAC.
  const share = subject.share ?? (backend === 'web' && subject.waits ? 0.2 : 1)
  const count = Math.ceil(Number(samples) * share)
  const restore = subject.replace?.()
  const { times, classes } = await sample(subject, forged.class, count)
  restore?.()
  const { name, control } = subject
  results.push({ name, control, samples: count, ...largestT(times, classes) })
}
console.log(JSON.stringify(results))
