import { judge } from '@webhook-receiver/model/model.mjs'
import { made } from '@webhook-receiver/model/recipe.mjs'
import { createTrial } from '@webhook-receiver/model/trial.mjs'
import { loadCore } from './core.mjs'

/** Makes the request of a recipe again, and prints it with what the receiver and the model say. */
export async function printReplay(json) {
  const recipe = JSON.parse(json)
  const { outcome, fault } = await createTrial(await loadCore('node'))(recipe)
  console.log(vectorOf(recipe))
  console.log(`receiver: ${outcome}\nmodel: ${judgementOf(recipe)}`)
  if (fault) {
    process.exitCode = 1
    console.log(fault)
  }
}

/** The request of a recipe as it would stand in a file of vectors. */
export function vectorOf(recipe) {
  const { setup, sent } = made(recipe)
  const { method, headers, body, now } = sent
  const { tolerance, limit } = setup
  return JSON.stringify(
    {
      method,
      headers,
      body: { base64: Buffer.from(body).toString('base64') },
      now,
      secrets: setup.secrets.map(([, secret]) => secret),
      tolerance: String(tolerance),
      limit,
    },
    null,
    1,
  )
}

function judgementOf(recipe) {
  const { setup, sent } = made(recipe)
  return judge(sent, setup).outcomes.join(' or ')
}
