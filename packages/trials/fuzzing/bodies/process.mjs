// One process: checks the properties, then tries as many recipes as it was given.
import { checkReceiver, propertiesOf } from '../../model/properties.mjs'
import { randomRecipe } from '../../model/recipe.mjs'
import { createTrial } from '../../model/trial.mjs'
import { stream } from '../../random.mjs'
import { childInput } from '../run-child.mjs'
import { loadCore } from './core.mjs'

/** How many recipes are tried between two messages. */
const BATCH = 5000

/** More faults than that have the same cause. */
const MOST_FAULTS = 5

const { backend, seed, thread, runs, propertyRuns, minutes } = childInput()

const end = performance.now() + (minutes ?? Number.POSITIVE_INFINITY) * 60_000

// The library removes the stack of a rejection. To collect it first is most of what a rejection costs here.
Error.stackTraceLimit = 0

const core = await loadCore(backend)
const faults = []

for (const { name, check } of propertyRuns > 0 ? propertiesOf(core) : []) {
  const limit = minutes === undefined ? {} : { interruptAfterTimeLimit: minutes * 60_000 }
  const result = await check({ numRuns: propertyRuns, seed, ...limit })
  process.send({ property: name, propertyRuns: result.numRuns })
  if (result.failed) {
    const { message } = result.errorInstance ?? {}
    faults.push({ property: name, fault: message, example: result.counterexample?.[0] })
  }
}

const trial = createTrial(core)
const next = stream(seed, thread, backend.length)
const outcomes = {}
let done = 0
while (done < runs && faults.length < MOST_FAULTS && performance.now() < end) {
  for (const batchEnd = Math.min(runs, done + BATCH); done < batchEnd; done++) {
    const recipe = randomRecipe(next)
    const { outcome, fault } = await trial(recipe)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (fault) faults.push(await shrunk(recipe, fault))
  }
  process.send({ done })
}
process.send({ outcomes, faults, done })

/** The smallest recipe that still fails, as far as fast-check can shrink this one. */
async function shrunk(recipe, fault) {
  const result = await checkReceiver(core, { numRuns: 1, examples: [[recipe]], seed })
  if (!result.failed) return { fault, recipe }
  return { fault: result.errorInstance?.message ?? fault, recipe: result.counterexample[0] }
}
