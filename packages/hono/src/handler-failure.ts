import { handlerFailed, printHandlerFailure, WebhookError } from '@webhook-receiver/core/adapter'
import type { Context, Next } from 'hono'

/**
 * Runs what is behind the receiver. Whatever it throws is answered 500.
 *
 * Hono hands an Error to its error handler before it comes here, and `next()` resolves all the same: then only the
 * answer can be put right. What is not an Error comes out of `next()`.
 */
export async function runNext(c: Context, next: Next): Promise<void> {
  try {
    await next()
    const { error } = c
    if (error === undefined || error instanceof WebhookError) return
    // Such an error brings its own answer, which Hono takes without printing anything.
    const answersItself = 'getResponse' in error
    if (c.res.status >= 500 && !answersItself) return
    const failure = handlerFailed(error)
    if (answersItself) printHandlerFailure(failure)
    // Otherwise the headers of the present answer are kept.
    c.res = undefined
    c.res = failure.getResponse()
  } catch (thrown) {
    throw toHandlerError(thrown)
  }
}

/** The error to throw for what a handler threw. */
export function toHandlerError(thrown: unknown): WebhookError {
  const error = handlerFailed(thrown)
  if (error === thrown) return error
  // Hono's own error handler answers with this, and prints nothing.
  const getResponse = () => {
    printHandlerFailure(error)
    return WebhookError.prototype.getResponse.call(error)
  }
  return Object.defineProperty(error, 'getResponse', { value: getResponse })
}
