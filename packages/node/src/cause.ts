import { inspect } from 'node:util'
import type { WebhookError } from '@webhook-receiver/core/adapter'
import { escapeControls } from '@webhook-receiver/core/adapter'

/**
 * Adds the cause of an error to its stack, for frameworks that print the stack, leave out the cause, and
 * send neither. What a terminal would obey is escaped: a message may quote what anybody wrote.
 */
export function showCause(error: WebhookError): WebhookError {
  error.stack = `${error.stack}\n[cause]: ${shown(error.cause)}`
  return error
}

function shown(cause: unknown): string {
  try {
    return escapeControls(inspect(cause))
  } catch {
    return 'something that cannot be shown'
  }
}
