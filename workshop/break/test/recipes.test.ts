import { redisProblem } from '@webhook-receiver/checks/redis.mjs'
import { expect, test } from 'vitest'
import { findRecipes, forgottenBlocks } from '../faults/recipes/list.mjs'
import { tryRecipe } from '../faults/recipes/trial.mjs'

test('every block of the documents that makes a store or an inbox is a recipe that is tried', () => {
  expect(forgottenBlocks()).toEqual([])
})

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
