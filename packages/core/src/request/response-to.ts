import { isEmpty, isWebhookError, responseBody } from '../reject/webhook-error.ts'
import type { SchemeResponse } from '../validate/response.ts'
import { WebhookHandshake } from '../verify/handshake.ts'

/**
 * The response to what a receiver or a handler threw; `undefined` for what belongs to the framework's error handling, which with
 * `forwardErrors` is each rejection.
 */
export function responseTo(thrown: unknown, forwardErrors = false): SchemeResponse | undefined {
  if (thrown instanceof WebhookHandshake) return thrown.response
  if (forwardErrors || !isWebhookError(thrown)) return undefined
  const { status, headers } = thrown
  if (isEmpty(thrown)) return { status, headers }
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json' },
    body: responseBody(thrown),
  }
}
