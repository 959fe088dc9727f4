import { loadVectors, runVectors } from '@webhook-receiver/conformance'
import { satisfies } from '@webhook-receiver/conformance/internal'
import { VECTOR_DEVIATIONS } from './deviations.mjs'
import { adapterOf, startSurface } from './surfaces.mjs'

// Those of the package alone, whatever WEBHOOK_VECTORS lists.
export const [vectors] = loadVectors('')

/** What takes the vectors over sockets. */
export const SURFACES = ['receiveRequest', 'hono']

/** @typedef {{ ran: number, right: number, deviating: { id: string, saw: string, why: string }[], problems: string[] }} Outcome */

/**
 * Plays every vector against a surface, over sockets.
 *
 * @returns {Promise<Outcome>}
 */
export async function overSockets(folder, runtime, surface) {
  const results = await runVectors(adapterOf(folder, runtime, surface), vectors)
  return judge(results, VECTOR_DEVIATIONS[runtime.kind])
}

/**
 * Sets the wrong results against the deviations that are known.
 *
 * @param {readonly { id: string, observed: readonly { outcome: string }[], problems: readonly string[] }[]} results
 * @param {Readonly<Record<string, import('./deviations.mjs').VectorDeviation>>} known
 * @returns {Outcome}
 */
export function judge(results, known) {
  const deviating = []
  const problems = Object.keys(known)
    .filter((id) => !vectors.cases.some((vector) => vector.id === id))
    .map((id) => `${id} is no vector`)
  let right = 0
  for (const { id, observed, problems: found } of results) {
    const deviation = known[id]
    const outcomes = [...new Set(observed.map(({ outcome }) => outcome))].join(', ')
    if (found.length === 0) {
      right++
      if (deviation && deviation.always !== false) problems.push(`${id} is right now: take it off`)
    } else if (outcomes === deviation?.saw) deviating.push({ id, ...deviation })
    else problems.push(`${id}: ${found.join('; ')}`)
  }
  return { ran: results.length, right, deviating, problems }
}

/** What HTTP servers respond by themselves. */
const LIMITS = ['417', '431']

/** Why a case cannot be given to `receive`; nothing where it can. */
function beyondReceive(vector) {
  const { raw_base64: raw, steps, send, content_length: length, needs_store: store } = vector
  if (store) return 'needs a store'
  if (steps !== undefined) return 'several requests on one connection'
  if (raw !== undefined || length !== undefined) return 'bytes that are not a regular request'
  if (send !== undefined) return 'a way of sending'
  if (vector.path !== vectors.path) return 'another path, which the router decides'
  if (vector.framing === 'none') return 'no body'
  if (vector.expect.some((outcome) => LIMITS.includes(outcome))) return 'a limit of the HTTP server'
  return undefined
}

/**
 * Gives each vector to `receive` in a process of the runtime, without any HTTP.
 *
 * @param {'own' | 'web'} backend what the runtime chooses, or WebCrypto.
 */
export async function withoutHttp(folder, runtime, backend) {
  const cases = vectors.cases.filter((vector) => beyondReceive(vector) === undefined)
  const { secret, clock, path } = vectors
  const settings = { surface: 'receive', secret, clock, path }
  const program = await startSurface(folder, runtime, settings, backend)
  try {
    const response = await fetch(`http://127.0.0.1:${program.port}/`, {
      method: 'POST',
      body: JSON.stringify(cases),
    })
    if (!response.ok)
      throw new Error(`${runtime.name}: ${await response.text()}\n${program.output().stderr}`)
    const { results, signedBySubtle } = await response.json()
    const problems = results.flatMap((result, index) => problemsOf(cases[index], result))
    if (results.length !== cases.length) problems.push(`only ${results.length} were judged`)
    return {
      ran: cases.length,
      right: cases.length - problems.length,
      backend: signedBySubtle > 0 ? 'WebCrypto' : 'node:crypto',
      problems,
    }
  } finally {
    await program.stop('SIGKILL')
  }
}

function problemsOf({ id, expect, handler_calls: calls }, { outcome, runs, polluted }) {
  const wrong = []
  if (!satisfies(outcome, expect))
    wrong.push(`expected ${expect.join(' or ')}, observed ${outcome}`)
  if (calls !== null && runs !== calls) wrong.push(`expected ${calls} runs, observed ${runs}`)
  if (polluted) wrong.push('a __proto__ key reached the handler')
  return wrong.length > 0 ? [`${id}: ${wrong.join('; ')}`] : []
}
