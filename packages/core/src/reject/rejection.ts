import { REASONS, type Reason } from './reasons.ts'
import { isWebhookError, WebhookError, type WebhookErrorOptions } from './webhook-error.ts'

type Explain<Given extends Reason> = (typeof REASONS)[Given]['explain']

/** What was seen, as the row of a reason needs it. */
export type Seen<Given extends Reason> = Parameters<Explain<Given>>[0]

/**
 * The error of a rejection, with the sentence of its reason as `detail`. It is the same object from the check that throws
 * it to the response.
 */
export function rejection<Given extends Reason>(
  reason: Given,
  ...[seen, options]: undefined extends Seen<Given>
    ? [seen?: Seen<Given>, options?: WebhookErrorOptions]
    : [seen: Seen<Given>, options?: WebhookErrorOptions]
): WebhookError {
  // Each row takes what `Seen` says.
  const explain = REASONS[reason].explain as (seen: unknown, cause?: unknown) => string
  // The error drops its frames, and what anybody can cause should not pay for them.
  const limit = Reflect.get(Error, 'stackTraceLimit')
  Reflect.set(Error, 'stackTraceLimit', 0)
  try {
    return new WebhookError(reason, sentence(reason, explain, seen, options), options)
  } finally {
    Reflect.set(Error, 'stackTraceLimit', limit)
  }
}

/** What was thrown, if it is a rejection, and otherwise the one that is made of it. */
export function rejectionOf(thrown: unknown, otherwise: () => WebhookError): WebhookError {
  return isWebhookError(thrown) ? thrown : otherwise()
}

/** A cause or an issue of the application may throw when its properties are read. */
function sentence(
  reason: Reason,
  explain: (seen: unknown, cause?: unknown) => string,
  seen: unknown,
  options: WebhookErrorOptions | undefined,
): string {
  try {
    return explain(seen, options?.cause)
  } catch {
    return `The reason is ${reason}. Reading its cause throws an error.`
  }
}
