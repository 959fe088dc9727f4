import { CODES, REASONS, type Reason, type Status, WebhookError } from '@webhook-receiver/core'

/** What an answer tells the sender. */
const MEANINGS: { readonly [status in Status]: string } = {
  400: 'The request was cut off, or its body is not a delivery. Sending the same bytes again does not help.',
  401: 'The signature or the timestamp is missing or wrong, or the timestamp is too old or in the future. Sending the same headers again does not help.',
  405: 'Deliveries are sent with POST.',
  408: 'The body took too long to arrive. Send the delivery again.',
  413: 'The body is too large. Sending it again does not help.',
  415: 'The body is compressed. Send it without Content-Encoding.',
  422: 'The content of the event does not fit the schema of the receiver, which is set to refuse it. Sending it again does not help.',
  500: 'The receiver made a mistake: its configuration is wrong, or its handler failed. Send the delivery again.',
  503: 'The receiver cannot handle the delivery now, or handles a copy of it at the moment. Send it again, not before Retry-After.',
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
  ...Object.fromEntries(
    Object.entries(MEANINGS).map(([status, meaning]) => [
      status,
      answer(Number(status) as Status, meaning),
    ]),
  ),
}

function answer(status: Status, meaning: string): Answer {
  const reasons = reasonsOf(status)
  const description = `${meaning}\n\nCode: \`${CODES[status]}\`. Reasons in the log of the receiver: ${reasons.map((reason) => `\`${reason}\``).join(', ')}.`
  const headers = headersOf(reasons)
  return headers.length === 0
    ? { description }
    : { description, headers: Object.fromEntries(headers) }
}

function reasonsOf(status: Status): readonly Reason[] {
  return (Object.keys(REASONS) as Reason[]).filter((reason) => REASONS[reason] === status)
}

/** The headers of a status: every error that has it has the same. */
function headersOf(reasons: readonly Reason[]): readonly (readonly [string, object])[] {
  return reasons
    .flatMap((reason) => Object.entries(new WebhookError(reason, '').headers))
    .map(([name, value]) => [name, { schema: { type: 'string', examples: [value] } }])
}
