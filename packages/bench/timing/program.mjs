// One run of one backend: node program.mjs BACKEND SAMPLES SEED fixed|obvious. Prints JSON.
import { register } from 'node:module'
import { createForger } from './classes.mjs'
import { sample } from './sampler.mjs'
import { largestT } from './welch.mjs'

const [backend, samples, seed, classes] = process.argv.slice(2)
if (backend === 'web') register('@webhook-receiver/trials/web-backend.mjs', import.meta.url)
register('./leaky-backend.mjs', import.meta.url)
const file = new URL(
  `dist/mac-${backend}.js`,
  import.meta.resolve('@webhook-receiver/core/package.json'),
)
const { mac } = await import(file.href)
const { mac: leaky } = await import(`${file}?leaky`)
// Only now, so that core finds the backend.
const { subjectsOf } = await import('./subjects.mjs')

const results = []
const forger = createForger(Number(seed), classes === 'obvious')
for (const subject of await subjectsOf(forger, { mac, leaky }, backend)) {
  // Most of the time of these is that of a thread that computes the MAC.
  const share = subject.share ?? (backend === 'web' && subject.waits ? 0.2 : 1)
  const restore = subject.replace?.()
  const taken = await sample(subject, forger.class, Math.ceil(Number(samples) * share))
  restore?.()
  const { name, control } = subject
  results.push({ name, control, ...largestT(taken.times, taken.classes) })
}
console.log(JSON.stringify(results))
