// The recipes of the stores and of the inbox, as the documents show them: the first request of a new process, with the server away, and back.
import { flag, readCommandLine, text, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { conclude, step } from '@webhook-receiver/checks/step.mjs'
import { findRecipes, forgottenBlocks } from './recipes/list.mjs'
import { tryRecipe } from './recipes/trial.mjs'

const {
  short,
  only = '',
  away,
} = readCommandLine(
  'break -- recipes',
  `Takes each recipe of a store and of the inbox out of its document, and starts it three times: with its server, whose first request has
to be handled; without it, where each request has to get 503; and when the server is back, where the same delivery has to be handled.`,
  {
    short: flag('those that CI tries'),
    only: text('those with this in their names'),
    away: wholeNumber(3, 'how long the server stays away, in seconds'),
  },
)

const forgotten = forgottenBlocks()
const results = []
for (const recipe of findRecipes()) {
  if ((short && !recipe.short) || !recipe.name.includes(only)) continue
  results.push(
    await step(recipe.name, () =>
      tryRecipe(recipe, away).catch((error) => ({ name: recipe.name, problems: [error.stack] })),
    ),
  )
}

const of = (outcome) =>
  outcome === undefined
    ? '–'
    : typeof outcome === 'string'
      ? outcome.slice(0, 80)
      : `${outcome.status} in ${outcome.ms} ms`
const slowest = (outcomes) => outcomes.toSorted((one, other) => other.ms - one.ms)[0]
console.table(
  Object.fromEntries(
    results.map(({ name, first, away: outcomes = [], back, without, later }) => [
      name,
      {
        'first request': of(first),
        'server away': of(outcomes[0]),
        longest: of(slowest(outcomes)),
        'back after ms': back,
        'started without it': of(without),
        'then back after ms': later,
      },
    ]),
  ),
)
conclude([...results, { name: 'each recipe of the documents is tried', problems: forgotten }])
process.exit()
