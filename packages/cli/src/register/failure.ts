import { WebhookApiError } from '@webhook-receiver/client'
import { Failure } from '../failure.ts'
import { cut, printable } from '../printable.ts'

/** How much of what the service said is shown, in characters. */
const SHOWN = 500

/** An error of the client for a person: with what the service said, where that can hold no secret. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof WebhookApiError)) return error
  const { message, reason, body = '', requestId } = error
  // The body of a 2xx may hold the secret in any form; what looks like one in another is left out.
  const hidden = body.replace(/whsec_[\w+/=-]+/g, '[a secret]')
  const answer = reason === 'refused' && body !== '' ? cut(printable(hidden), SHOWN) : undefined
  return new Failure(
    [
      printable(message),
      ...(answer === undefined ? [] : [`The service said: ${answer}`]),
      ...(requestId === undefined
        ? []
        : [`Request id for the support of the service: ${printable(requestId)}`]),
    ].join('\n'),
  )
}
