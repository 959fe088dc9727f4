import { brand, escapeControls } from '@webhook-receiver/core/internal'

/** Why no webhook with its secret came back. */
export type ApiFailure =
  | 'not_sent'
  | 'no_response'
  | 'timeout'
  | 'redirected'
  | 'rejected'
  | 'unusable_response'

const LOST =
  ' The webhook may exist, and its secret is lost: look for it at the service and delete it before you create it again.'

/** The registration did not give a webhook with its secret. Contains no API key. */
export class WebhookApiError extends Error {
  override readonly name = 'WebhookApiError'
  readonly reason: ApiFailure
  /** The status of the response; `undefined` if there was none. */
  readonly status: number | undefined
  /** Whether the service may have created the webhook. */
  readonly webhookMayExist: boolean
  // Private, because the body may contain the secret, and printing the error must not show it.
  readonly #body: string | undefined

  constructor(reason: ApiFailure, message: string, status?: number, body?: string) {
    const isSafe = reason === 'not_sent' || reason === 'redirected'
    const webhookMayExist = !isSafe && (reason !== 'rejected' || Number(status) >= 500)
    // The message quotes the service.
    super(escapeControls(webhookMayExist ? message + LOST : message))
    this.reason = reason
    this.status = status
    this.webhookMayExist = webhookMayExist
    this.#body = body
  }

  /** The body of the response without the API key; `undefined` if there was none or it is larger than 1 MiB. */
  get body(): string | undefined {
    return this.#body
  }
}

brand(WebhookApiError, '@webhook-receiver/client.WebhookApiError')
