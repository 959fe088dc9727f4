// One thread: checks the properties, then tries recipes until it has tried as many as it was given.
import { parentPort, workerData } from 'node:worker_threads'
import { checkReceiver, propertiesOf } from '@webhook-receiver/model/properties.mjs'
import { drawn } from '@webhook-receiver/model/recipe.mjs'
import { createTrial } from '@webhook-receiver/model/trial.mjs'
import { stream } from '@webhook-receiver/tools/random.mjs'
import { loadCore } from './core.mjs'

/** After so many recipes a thread says how far it is. */
const REPORT = 5000

/** A thread that finds more than that is looking at one fault again and again. */
const MOST_FAULTS = 5

const { backend, seed, thread, runs, propertyRuns, milliseconds } = workerData

const started = performance.now()
const inTime = () => performance.now() - started < milliseconds

// A refusal's stack is cut off by the library; to collect it first is most of what a refusal costs here.
Error.stackTraceLimit = 0

const limit = Number.isFinite(milliseconds) ? { interruptAfterTimeLimit: milliseconds } : {}

const core = await loadCore(backend)
const faults = []

for (const { name, check } of propertyRuns > 0 ? propertiesOf(core) : []) {
  const found = await check({ numRuns: propertyRuns, seed, ...limit })
  parentPort.postMessage({ property: name, runs: found.numRuns, backend })
  if (found.failed) {
    const { message } = found.errorInstance ?? {}
    faults.push({ property: name, fault: message, example: found.counterexample?.[0] })
  }
}

const trial = createTrial(core)
const next = stream(seed, thread, backend.length)
const outcomes = {}
let done = 0
while (done < runs && faults.length < MOST_FAULTS && inTime()) {
  const end = Math.min(runs, done + REPORT)
  for (; done < end; done++) {
    const recipe = drawn(next)
    const { outcome, fault } = await trial(recipe)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (fault) faults.push(await smaller(recipe, fault))
  }
  parentPort.postMessage({ done })
}
parentPort.postMessage({ outcomes, faults, done })

/** The smallest recipe that still fails, as far as fast-check gets from this one. */
async function smaller(recipe, fault) {
  const found = await checkReceiver(core, { numRuns: 1, examples: [[recipe]], seed })
  if (!found.failed) return { fault, recipe }
  return { fault: found.errorInstance?.message ?? fault, recipe: found.counterexample[0] }
}
