import { expectedResult } from '../../model/model.mjs'
import { buildRequest } from '../../model/recipe.mjs'
import { createTrial } from '../../model/trial.mjs'
import { loadCore } from './core.mjs'

/** Sends the request of a recipe again, and prints it with the results of the receiver and of the model. */
export async function printReplay(json) {
  const recipe = JSON.parse(json)
  const { outcome, fault } = await createTrial(await loadCore('node'))(recipe)
  const { settings, request } = buildRequest(recipe)
  console.log(vectorOf(recipe))
  console.log(`receiver: ${outcome}`)
  console.log(`model: ${expectedResult(request, settings).outcomes.join(' or ')}`)
  if (fault) {
    process.exitCode = 1
    console.log(fault)
  }
}

/** The request of a recipe in the format of a vector. */
export function vectorOf(recipe) {
  const { settings, request } = buildRequest(recipe)
  const vector = {
    method: request.method,
    headers: request.headers,
    body: { base64: Buffer.from(request.body).toString('base64') },
    now: request.now,
    secrets: settings.secrets.map(([, secret]) => secret),
    tolerance: String(settings.tolerance),
    limit: settings.limit,
  }
  return JSON.stringify(vector, null, 1)
}
