// Sends a request to its receiver, and compares the result with that of the model.
import { isDeepStrictEqual } from 'node:util'
import { codeOf, expectedResult, fieldOf, statusOf } from './model.mjs'
import { RECEIVERS, secretSourceOf } from './receivers.mjs'

/** One in so many requests is a web-standard Request, which costs more to create than to verify. */
const AS_REQUEST = 32

/**
 * Creates the receivers, and returns a function that tries a request on one of them.
 *
 * @param {{ createReceiver: Function, WebhookError: Function }} core
 * @returns {(sent: { receiver: number, shape: number, request: object }) => Promise<{ outcome: string, fault?: string }>}
 */
export function createTrial({ createReceiver, WebhookError }) {
  let now = 0
  const receivers = RECEIVERS.map((settings) =>
    createReceiver(secretSourceOf(settings), {
      ...settings.options,
      now: () => now,
      onRejected: settings.hasHook && (() => {}),
    }),
  )

  return async ({ receiver, shape, request }) => {
    const settings = RECEIVERS[receiver]
    const call = callOf(receivers[receiver], request, shape)
    now = request.now
    const expected = expectedResult(call.request, settings)
    let received
    let thrown
    try {
      received = await call.run()
    } catch (error) {
      thrown = error ?? new Error(`threw ${error}`)
    }
    const outcome = thrown ? (thrown.reason ?? 'another error') : 'accepted'
    const fault = thrown
      ? faultOfError(thrown, WebhookError, expected, settings)
      : faultOfAcceptance(received, expected, call.request)
    const isRight = expected.outcomes.length > 1 || call.isRead !== expected.isHead
    return { outcome, fault: fault ?? (isRight ? undefined : `${outcome}, read: ${call.isRead}`) }
  }
}

/** The request as an adapter passes it to `receive`, or as a Request if it can be one. */
function callOf(receiver, request, shape) {
  const webRequest = shape % AS_REQUEST === 0 ? webRequestOf(request) : undefined
  if (webRequest) {
    // The platform may have changed the method and the headers.
    const asSent = { ...request, method: webRequest.method, headers: [...webRequest.headers] }
    return { request: asSent, run: () => receiver.receiveRequest(webRequest) }
  }
  const call = { request, isRead: false, run: () => receiver.receive(incoming) }
  const incoming = {
    method: request.method,
    header: (name) =>
      fieldOf(request.headers, name.toLowerCase()) ?? (shape % 2 ? undefined : null),
    readBody: () => {
      call.isRead = true
      return shape % 4 < 2 ? request.body : Promise.resolve(request.body)
    },
    context: undefined,
  }
  return call
}

function webRequestOf({ method, headers, body }) {
  try {
    const content = method === 'GET' || method === 'HEAD' ? {} : { body }
    return new Request('http://localhost/webhooks', { method, headers, ...content })
  } catch {
    return undefined
  }
}

function faultOfError(error, WebhookError, { outcomes }, { secrets }) {
  if (!(error instanceof WebhookError)) return `threw ${error?.stack ?? error}, no WebhookError`
  const { reason, status, code } = error
  if (!outcomes.includes(reason)) return `rejected: ${reason}; expected ${outcomes.join(' or ')}`
  if (status !== statusOf(reason)) return `${reason} has status ${status}`
  if (code !== codeOf(reason)) return `${reason} has code ${code}`
  const text = `${JSON.stringify(error)}${error.stack}${error.detail}`
  if (secrets.some(([, secret]) => secret.length > 8 && text.includes(secret))) {
    return 'the error holds the secret'
  }
  const expected = JSON.stringify({ code, message: code.replaceAll('_', ' ') })
  return JSON.stringify(error) === expected ? undefined : `the response is ${JSON.stringify(error)}`
}

function faultOfAcceptance({ delivery, verification }, expected, { headers, body }) {
  const { outcomes, secretName } = expected
  if (!outcomes.includes('accepted')) return `accepted; expected ${outcomes.join(' or ')}`
  if (!isDeepStrictEqual(delivery, expected.delivery)) {
    return `delivered ${JSON.stringify(delivery)}; expected ${JSON.stringify(expected.delivery)}`
  }
  const { rawBody, timestamp, webhookId } = verification
  if (Buffer.compare(rawBody, body) !== 0) return 'rawBody is not what was sent'
  if (timestamp !== fieldOf(headers, 'x-webhook-timestamp')) return 'another timestamp'
  if (webhookId !== (fieldOf(headers, 'x-webhook-id') || undefined)) return 'another webhookId'
  if (verification.secretName !== secretName) return `secret ${verification.secretName} matched`
  return undefined
}
