// The recipes of the stores and of the inbox, as the documents show them: the first request of a new process, with the server away, and back.
import { readCommandLine, text } from '@webhook-receiver/checks/command-line.mjs'
import { conclude, step } from '@webhook-receiver/checks/step.mjs'
import { findRecipes } from './recipes/list.mjs'
import { tryRecipe } from './recipes/trial.mjs'

const { only = '' } = readCommandLine(
  'break -- recipes',
  `Takes each recipe of a store and of the inbox out of its document, and starts it three times: with its server, whose first request has
to be handled; without it, where each request has to get 503; and when the server is back, where the same delivery has to be handled.`,
  { only: text('those with this in their names') },
)

const results = []
for (const recipe of findRecipes()) {
  if (!recipe.name.includes(only)) continue
  const work = () => tryRecipe(recipe, 3).catch(({ stack }) => ({ problems: [stack] }))
  const { name } = recipe
  const { first, back, later, problems } = await step(name, work)
  const saw = `first ${first?.status} in ${first?.ms} ms, back after ${back} ms, started without it after ${later} ms`
  results.push({ name, saw, problems })
}
conclude(results)
process.exit()
