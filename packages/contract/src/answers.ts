import { CODES, REASONS, type Reason, WebhookError } from '@webhook-receiver/core'

type Code = (typeof CODES)[keyof typeof CODES]

/** What an answer tells the sender. */
const MEANINGS: Readonly<Record<Code, string>> = {
  invalid_delivery:
    'The request was cut off, or its body is not a delivery. Sending the same bytes again does not help.',
  not_authenticated:
    'The signature or the timestamp is missing or wrong, or the timestamp is too old or in the future. Sending the same headers again does not help.',
  method_not_allowed: 'Deliveries are sent with POST.',
  body_too_slow: 'The body took too long to arrive. Send the delivery again.',
  body_too_large: 'The body is too large. Sending it again does not help.',
  encoding_not_supported: 'The body is compressed. Send it without Content-Encoding.',
  content_not_accepted:
    'The content of the event does not fit the schema of the receiver, which is set to refuse it. Sending it again does not help.',
  receiver_error:
    'The receiver made a mistake: its configuration is wrong, or its handler failed. Send the delivery again.',
  receiver_unavailable:
    'The receiver cannot handle the delivery now, or handles a copy of it at the moment. Send it again, not before Retry-After.',
}

/** One answer of a receiver to a delivery. */
export interface Answer {
  readonly description: string
  readonly headers?: Readonly<Record<string, object>>
}

/** The answers of a receiver to a delivery, by status as OpenAPI writes it. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  '2XX': {
    description:
      'The delivery was accepted, or it is a copy of one that was handled before. Do not send it again.',
  },
  ...Object.fromEntries(Object.entries(CODES).map(([status, code]) => [status, answer(code)])),
}

function answer(code: Code): Answer {
  // Object.keys gives strings only.
  const reasons = (Object.keys(REASONS) as Reason[]).filter(
    (reason) => CODES[REASONS[reason]] === code,
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
