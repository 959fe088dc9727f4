import { isDeepStrictEqual } from 'node:util'
import { codeOf, fieldOf, judge, statusOf } from './model.mjs'
import { made } from './recipe.mjs'
import { SETUPS, sourceOf } from './setups.mjs'

/** One in so many requests comes as a web-standard Request, which costs more to make than to verify. */
const AS_REQUEST = 32

/**
 * Makes the receivers, and what tries recipes on them.
 *
 * @param {{ createReceiver: Function, WebhookError: Function }} core
 * @returns {(recipe: import('./recipe.mjs').Recipe) => Promise<{ outcome: string, fault?: string }>}
 */
export function createTrial({ createReceiver, WebhookError }) {
  const state = { now: 0, kept: 0, told: 0 }
  const receivers = SETUPS.map((setup) =>
    createReceiver(sourceOf(setup), {
      ...setup.options,
      now: () => state.now,
      onUnprocessable: ({ rawBody }) => {
        state.kept += rawBody.length + 1
      },
      onRejected:
        setup.told &&
        (({ authentic }) => {
          state.told += authentic ? 2 : 1
        }),
    }),
  )

  return async (recipe) => {
    const { setup, sent } = made(recipe)
    const call = callOf(receivers[setup.index], sent, recipe.shape)
    Object.assign(state, { now: sent.now, kept: 0, told: 0 })
    const judgement = judge(call.sent, setup)
    let received
    let thrown
    try {
      received = await call.run()
    } catch (error) {
      thrown = error ?? new Error(`threw ${error}`)
    }
    const outcome = thrown ? (thrown.reason ?? 'another error') : 'accepted'
    const fault = thrown
      ? faultOfError(thrown, WebhookError, judgement, setup)
      : faultOfAcceptance(received, judgement, call.sent)
    return {
      outcome,
      fault: fault ?? faultOfCourse(outcome, judgement, call, { ...state, hooked: setup.told }),
    }
  }
}

/** The request as an adapter gives it, or as a Request where it can be one. */
function callOf(receiver, sent, shape) {
  const request = shape % AS_REQUEST === 0 ? requestOf(sent) : undefined
  if (request) {
    // What the platform has made of it is what was sent.
    const asSent = { ...sent, method: request.method, headers: [...request.headers] }
    return { sent: asSent, run: () => receiver.receiveRequest(request) }
  }
  const call = { sent, reads: 0, run: () => receiver.receive(incoming) }
  const incoming = {
    method: sent.method,
    header: (name) => fieldOf(sent.headers, name.toLowerCase()) ?? (shape % 2 ? undefined : null),
    readBody: () => {
      call.reads++
      return shape % 4 < 2 ? sent.body : Promise.resolve(sent.body)
    },
    context: undefined,
  }
  return call
}

function requestOf({ method, headers, body }) {
  try {
    const bodiless = method === 'GET' || method === 'HEAD'
    return new Request('http://localhost/webhooks', {
      method,
      headers,
      ...(!bodiless && { body }),
    })
  } catch {
    return undefined
  }
}

function faultOfError(error, WebhookError, judgement, setup) {
  if (!(error instanceof WebhookError)) return `threw ${error?.stack ?? error}, no WebhookError`
  const { reason, status, code } = error
  const expected = judgement.outcomes.join(' or ')
  if (!judgement.outcomes.includes(reason)) return `refused: ${reason}; should be ${expected}`
  if (status !== statusOf(reason)) return `${reason} has status ${status}`
  if (code !== codeOf(reason)) return `${reason} has code ${code}`
  const shown = `${JSON.stringify(error)}${error.stack}${error.detail}`
  if (setup.secrets.some(([, secret]) => secret.length > 8 && shown.includes(secret))) {
    return 'the error holds the secret'
  }
  const sent = JSON.stringify({ code, message: code.replaceAll('_', ' ') })
  return JSON.stringify(error) === sent ? undefined : `the sender is told ${JSON.stringify(error)}`
}

function faultOfAcceptance({ delivery, verification }, judgement, sent) {
  const { outcomes, secretName } = judgement
  if (!outcomes.includes('accepted')) return `accepted; should be ${outcomes.join(' or ')}`
  if (!isDeepStrictEqual(delivery, judgement.delivery)) {
    return `handed on ${JSON.stringify(delivery)}; should be ${JSON.stringify(judgement.delivery)}`
  }
  const { rawBody, timestamp, webhookId } = verification
  if (Buffer.compare(rawBody, sent.body) !== 0) return 'rawBody is not what was sent'
  if (timestamp !== fieldOf(sent.headers, 'x-webhook-timestamp')) return 'another timestamp'
  if (webhookId !== fieldOf(sent.headers, 'x-webhook-id')) return 'another webhookId'
  if (verification.secretName !== secretName) return `secret ${verification.secretName} matched`
  return undefined
}

/** Whether the body was read, and the hooks told, exactly where they should be. */
function faultOfCourse(outcome, { stage, outcomes }, { reads, sent }, { kept, told, hooked }) {
  if (outcomes.length > 1) return undefined
  const read = stage === 'head' ? 0 : 1
  if (reads !== undefined && reads !== read)
    return `${outcome}, and the body was read ${reads} times`
  const refused = outcome !== 'accepted'
  const keeps = refused && stage === 'fresh' ? sent.body.length + 1 : 0
  if (kept !== keeps) return `${outcome}, and onUnprocessable was given ${kept - 1} bytes`
  const authentic = stage === 'authentic' || stage === 'fresh'
  const tells = refused && hooked ? (authentic ? 2 : 1) : 0
  return told === tells ? undefined : `${outcome}, and onRejected was told ${told}`
}
