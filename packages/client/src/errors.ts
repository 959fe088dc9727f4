import { brand, escapeControls } from '@webhook-receiver/core/adapter'

/**
 * Why no webhook with its secret came back:
 * - `not_sent`: no connection could be made;
 * - `no_answer`: the connection failed after that;
 * - `timeout`: no answer came in time;
 * - `redirected`: the service redirected the request, which is not followed;
 * - `refused`: a status outside 2xx;
 * - `answer_incomplete`, `answer_too_large`, `answer_not_json`, `secret_missing`: a 2xx that cannot be used.
 */
export type ApiFailure =
  | 'not_sent'
  | 'no_answer'
  | 'timeout'
  | 'redirected'
  | 'refused'
  | 'answer_incomplete'
  | 'answer_too_large'
  | 'answer_not_json'
  | 'secret_missing'

/** What is known about the answer, if there was one. */
export interface WebhookApiErrorFacts {
  readonly status?: number | undefined
  /** The answer's body as text, verbatim but for the API key. */
  readonly body?: string | undefined
  readonly bodyTruncated?: boolean | undefined
  readonly requestId?: string | undefined
  /** Where a redirect pointed. */
  readonly location?: string | undefined
}

const LOST =
  'The webhook may have been created, and its secret is lost: look for it at the service and delete it ' +
  'before you create it again.'

/** The registration did not give a webhook with its secret. Holds no API key. */
export class WebhookApiError extends Error {
  override readonly name = 'WebhookApiError'
  readonly reason: ApiFailure
  /** HTTP status of the answer; `undefined` if there was none. */
  readonly status: number | undefined
  /** Whether the service may have created the webhook. */
  readonly webhookMayExist: boolean
  /** The service's own identifier of the request, for its support. */
  readonly requestId: string | undefined
  /** Where a redirect pointed. */
  readonly location: string | undefined
  /** Whether the answer was longer than the 1 MiB that is kept. */
  readonly bodyTruncated: boolean
  // Private, because the body of a 2xx may hold the secret, and printing the error must not show it.
  readonly #body: string | undefined

  constructor(reason: ApiFailure, message: string, facts: WebhookApiErrorFacts = {}) {
    const mayExist = mayHaveCreated(reason, facts.status)
    // It quotes the service, and JSON does not escape C1 controls and direction marks.
    super(escapeControls([message.trim(), mayExist && LOST].filter(Boolean).join(' ')))
    this.reason = reason
    this.status = facts.status
    this.webhookMayExist = mayExist
    this.requestId = facts.requestId
    this.location = facts.location
    this.bodyTruncated = facts.bodyTruncated ?? false
    this.#body = facts.body
  }

  /** The body of the answer, up to 1 MiB and without the API key; `undefined` without an answer. */
  get body(): string | undefined {
    return this.#body
  }
}

brand(WebhookApiError, '@webhook-receiver/client.WebhookApiError')

function mayHaveCreated(reason: ApiFailure, status = 0): boolean {
  if (reason === 'not_sent' || reason === 'redirected') return false
  return reason !== 'refused' || status >= 500
}
