import { HttpException } from '@nestjs/common'
import { WebhookError } from '@webhook-receiver/core'

/**
 * A WebhookError that is an HttpException too. Nest and the exception filters of applications respond to those with
 * their status, and do not log them.
 */
export class WebhookException extends HttpException {
  constructor(error: WebhookError) {
    super(error.toJSON(), error.status, { cause: error.cause })
    const { stack, detail } = error
    Object.assign(this, error)
    Object.defineProperties(this, { stack: { value: stack }, detail: { value: detail } })
  }
}

// `instanceof WebhookError` looks for this mark.
for (const mark of Object.getOwnPropertySymbols(WebhookError.prototype)) {
  Object.defineProperty(WebhookException.prototype, mark, { value: true })
}
