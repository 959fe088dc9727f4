import { type Reason, WebhookError } from '@webhook-receiver/core'
import { CODES, REASONS } from '@webhook-receiver/core/adapter'

type Code = (typeof CODES)[keyof typeof CODES]

/** What a response tells the sender. */
const MEANINGS: Readonly<Record<Code, string>> = {
  invalid_delivery:
    'The request was cut off, or its body is not a delivery. A retry with the same bytes does not help.',
  not_authenticated:
    'The signature or the timestamp is missing or wrong, or the timestamp is too old or in the future. A retry with the same headers does not help.',
  method_not_allowed: 'Deliveries are sent with POST.',
  body_too_slow: 'The body took too long to arrive. Retry the delivery.',
  body_too_large: 'The body is too large. A retry does not help.',
  encoding_not_supported: 'The body is compressed. Send it without Content-Encoding.',
  content_not_accepted:
    'The content of the event does not fit the schema of the receiver, which is set to reject it. A retry does not help.',
  receiver_error:
    'The receiver made a mistake: its configuration is wrong, or its handler failed. Retry the delivery.',
  receiver_unavailable:
    'The receiver cannot handle the delivery now, or handles a copy of it at the moment. Retry it, not before Retry-After.',
}

/** One response of a receiver to a delivery. */
export interface ResponseDescription {
  readonly description: string
  readonly headers?: Readonly<Record<string, object>>
}

/** The responses of a receiver to a delivery, by status as OpenAPI writes it. */
export const RESPONSES: Readonly<Record<string, ResponseDescription>> = {
  '2XX': {
    description:
      'The delivery was accepted, or it is a copy of one that was handled before. Do not retry it.',
  },
  ...Object.fromEntries(Object.entries(CODES).map(([status, code]) => [status, responseOf(code)])),
}

function responseOf(code: Code): ResponseDescription {
  // Object.keys gives strings only.
  const reasons = (Object.keys(REASONS) as Reason[]).filter(
    (reason) => CODES[REASONS[reason].status] === code,
  )
  const names = reasons.map((reason) => `\`${reason}\``).join(', ')
  const description = `${MEANINGS[code]}\n\nCode: \`${code}\`. Reasons in the log of the receiver: ${names}.`
  const headers = reasons.flatMap(headersOf)
  return headers.length === 0
    ? { description }
    : { description, headers: Object.fromEntries(headers) }
}

/** All reasons of a status have the same. */
function headersOf(reason: Reason): readonly (readonly [string, object])[] {
  const { headers } = new WebhookError(reason, '')
  return Object.entries(headers).map(([name, value]) => [
    name,
    { schema: { type: 'string', examples: [value] } },
  ])
}
