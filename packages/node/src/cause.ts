import { inspect } from 'node:util'
import type { WebhookError } from '@webhook-receiver/core'

/**
 * Adds the cause of an error to its stack, for frameworks that print the stack, leave out the cause, and
 * send neither.
 */
export function showCause(error: WebhookError): WebhookError {
  error.stack = `${error.stack}\n[cause]: ${shown(error.cause)}`
  return error
}

function shown(cause: unknown): string {
  try {
    return inspect(cause)
  } catch {
    return 'something that cannot be shown'
  }
}
