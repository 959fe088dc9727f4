import { redisProblem } from '@webhook-receiver/checks/redis.mjs'
import { expect, test } from 'vitest'
import { findRecipes } from '../faults/recipes/list.mjs'
import { tryRecipe } from '../faults/recipes/trial.mjs'

// `npm run break -- recipes` tries all of them.
const few = findRecipes().filter(({ short }) => short)

test.skipIf((await redisProblem()) !== undefined && process.env.CI !== 'true').concurrent.each(few)(
  'with $name, the first request is handled, without Redis it is 503, and it is handled when Redis is back',
  async (recipe) => {
    const { problems, without } = await tryRecipe(recipe, 0)
    expect(problems).toEqual([])
    expect(without).toMatchObject({ status: 503 })
  },
)
