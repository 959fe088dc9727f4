import { CreatedWebhook } from './created-webhook.ts'
import { WebhookApiError } from './errors.ts'
import type { ResolvedOptions } from './options.ts'
import { redaction, withoutSecrets } from './redaction.ts'

/**
 * The webhook in a response; anything else is a WebhookApiError. The contract names no status of success, so any 2xx is
 * one. `text` is the body, or `undefined` if it is larger than 1 MiB.
 */
export function readWebhook(
  response: Response,
  text: string | undefined,
  { endpoint, redact }: ResolvedOptions,
): CreatedWebhook {
  const { status, type, redirected } = response
  // Browsers hide a redirect; a `fetch` of the application may have followed it.
  if ((status >= 300 && status < 400) || type === 'opaqueredirect' || redirected) {
    const target = response.headers.get('location') ?? (redirected && response.url)
    throw new WebhookApiError(
      'redirected',
      `${redact(endpoint)} redirects to ${target ? shortened(redact(target)) : 'an unknown address'}. The redirect was not followed, because it could send the API key to another host. If that address is right, use it as the \`baseUrl\`.`,
      status,
    )
  }
  const body = text === undefined ? undefined : redact(text)
  if (!response.ok) {
    const seen = `The service responded ${status} to the POST to ${redact(endpoint)}${excerpt(body)}.`
    throw new WebhookApiError('rejected', seen + advice(status), status, body)
  }
  const { secret, ...record } = Object(parsed(text))
  if (typeof secret !== 'string' || secret === '') {
    throw new WebhookApiError(
      'unusable_response',
      `The service responded ${status}, but ${text === undefined ? 'with more than 1 MiB' : 'without JSON that has a "secret"'}. Is \`baseUrl\` the right service?`,
      status,
      body,
    )
  }
  const redactSecret = redaction(secret, '[the secret]')
  return new CreatedWebhook(
    secret,
    recordOf(record, (json) => redactSecret(redact(json))),
  )
}

/** Empty where that cannot be done, as with too many levels: the secret must not be lost for it. */
function recordOf(record: object, redact: (json: string) => string): Record<string, unknown> {
  try {
    return JSON.parse(redact(JSON.stringify(record)))
  } catch {
    return {}
  }
}

function excerpt(body: string | undefined): string {
  if (body === undefined) return ', with more than 1 MiB'
  return body.trim() === '' ? ', without a body' : `: ${shortened(body.trim())}`
}

function shortened(text: string): string {
  const shown = withoutSecrets(text).replace(/\s+/g, ' ')
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown
}

function advice(status: number): string {
  if (status === 401 || status === 403) return ' Check the API key and its permissions.'
  return status === 404 || status === 405
    ? ' Check `baseUrl`: it is the part before /api/v1/webhooks.'
    : ''
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
