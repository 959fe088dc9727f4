import type { WebhookError } from '@webhook-receiver/core/adapter'
import { handlerFailed } from '@webhook-receiver/core/adapter'
import { cutShort, showCause } from '@webhook-receiver/node'
import type { Context } from 'koa'

/** The error to throw for what a middleware threw. Koa prints the stack of an error, and not its cause. */
export function toHandlerError({ res }: Pick<Context, 'res'>, thrown: unknown): WebhookError {
  // Koa leaves an answer that was begun as it is, and its sender waiting.
  if (res.headersSent) cutShort(res)
  const error = handlerFailed(thrown)
  return error === thrown ? error : showCause(error)
}
