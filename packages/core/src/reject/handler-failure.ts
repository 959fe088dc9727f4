import { printError } from './print-error.ts'
import { WebhookError } from './webhook-error.ts'

/**
 * The error for what a handler of the application threw: `handler_failed` (500), with what was thrown as its
 * `cause`. A WebhookError comes back as it is.
 *
 * Frameworks read a status, headers and even a whole response from a thrown value, and treat a value that is
 * not an Error as control flow or as an answer. None of that may decide how a delivery is answered.
 */
export function handlerFailed(thrown: unknown): WebhookError {
  const cause = readable(thrown)
  if (cause instanceof WebhookError) return cause
  return new WebhookError(
    'handler_failed',
    `A handler after the receiver threw ${cause instanceof Error ? 'an error' : 'a value that is not an Error'}: see the ` +
      'cause. The answer is 500, even if the error has another status, so the service sends the delivery again.',
    { cause },
  )
}

/**
 * Shows what a handler threw on standard error, for where no error handler of the application is going to see it.
 * `begun` says that the handler had begun to answer by itself.
 */
export function printHandlerFailure(error: WebhookError, begun = false): void {
  const line = `[webhook-receiver] The handler failed. ${begun ? 'Its answer was cut off' : 'The delivery is answered 500'}.`
  printError(line, error.reason === 'handler_failed' ? error.cause : error)
}

const DEPTH = 10

/** The thrown value, or another error if reading it throws: loggers read it without a `try`. */
export function readable(thrown: unknown, thrower = 'The handler'): unknown {
  try {
    let seen = thrown
    for (let depth = 0; depth < DEPTH && isObject(seen); depth++) {
      for (const key of ['name', 'message', 'stack']) String(Reflect.get(seen, key))
      for (const key of Object.keys(seen)) Reflect.get(seen, key)
      seen = seen instanceof Error ? seen.cause : undefined
    }
    return thrown
  } catch {
    return new Error(
      `${thrower} threw an object that cannot be read, because reading it throws an error.`,
    )
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
