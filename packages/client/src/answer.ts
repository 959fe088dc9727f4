import { readBounded } from './bounded-text.ts'
import { CreatedWebhook } from './created-webhook.ts'
import { WebhookApiError, type WebhookApiErrorFacts } from './errors.ts'
import type { ResolvedOptions } from './options.ts'
import { type Redact, redactedValue, redaction, withoutSecrets } from './redaction.ts'

const PREFIX = 'whsec_'

/** The part of a refusal's body that its message repeats, in characters. */
const EXCERPT = 200

/** Headers under which services send an identifier of the request. */
const REQUEST_ID = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray']

/**
 * Takes the created webhook from the answer. The contract names no status of success, so any 2xx is one.
 *
 * @throws WebhookApiError where it is not there.
 */
export async function readAnswer(
  response: Response,
  { redactedEndpoint, apiKey, redact }: ResolvedOptions,
): Promise<CreatedWebhook> {
  const facts = { status: response.status, requestId: requestId(response, redact) }
  if (isRedirect(response)) throw redirectError(response, redactedEndpoint, facts, redact)
  const { text, truncated } = await readBounded(response, facts)
  const answer = { ...facts, body: redact(text, truncated), bodyTruncated: truncated }
  if (!response.ok) throw refusedError(answer, redactedEndpoint)
  if (truncated) {
    throw new WebhookApiError(
      'answer_too_large',
      `The service answered ${response.status} with more than 1 MiB.`,
      answer,
    )
  }
  const { secret, ...record } = readRecord(text, answer)
  if (typeof secret !== 'string' || secret === '') {
    throw new WebhookApiError(
      'secret_missing',
      `The service answered ${response.status}, but without a "secret" string. Is \`baseUrl\` the right service?`,
      answer,
    )
  }
  if (!secret.startsWith(PREFIX)) {
    console.warn(
      `[webhook-receiver] The secret in the answer does not begin with "${PREFIX}", as the service's secrets do. Is \`baseUrl\` the right service?`,
    )
  }
  const hidden = redactedValue(record, [
    [apiKey, redact],
    [secret, redaction(secret, '[the secret]')],
  ])
  return new CreatedWebhook(secret, { ...(hidden as typeof record) })
}

function requestId({ headers }: Response, redact: Redact): string | undefined {
  const id = REQUEST_ID.map((name) => headers.get(name)).find((value) => value)
  return id ? withoutSecrets(redact(id)).slice(0, EXCERPT) : undefined
}

/** Browsers hide a redirect behind an opaque answer; a `fetch` of the application may have followed it. */
function isRedirect({ status, type, redirected }: Response): boolean {
  return (status >= 300 && status < 400) || type === 'opaqueredirect' || redirected
}

function redirectError(
  response: Response,
  endpoint: string,
  facts: WebhookApiErrorFacts,
  redact: Redact,
): WebhookApiError {
  response.body?.cancel().catch(() => {})
  const target = response.headers.get('location') ?? (response.redirected ? response.url : null)
  const location = target === null ? undefined : withoutSecrets(redact(target)).slice(0, 1000)
  return new WebhookApiError(
    'redirected',
    `${endpoint} redirects to ${location === undefined ? 'an unknown address' : JSON.stringify(location)}` +
      `${response.status ? ` (${response.status})` : ''}. The redirect was not followed, because it would send the API key to that address. ` +
      'If the address is right, use it as the `baseUrl`.',
    { ...facts, status: response.status || undefined, location },
  )
}

function refusedError(
  answer: WebhookApiErrorFacts & { body: string },
  endpoint: string,
): WebhookApiError {
  const { status = 0, body, bodyTruncated } = answer
  return new WebhookApiError(
    'refused',
    `The service answered ${status} to the POST to ${endpoint}${bodyExcerpt(body)}.` +
      `${bodyTruncated ? ' The answer is longer than 1 MiB; the rest was not kept.' : ''}${advice(status)}`,
    answer,
  )
}

function bodyExcerpt(body: string): string {
  const text = body.trim()
  if (text === '') return ', without a body'
  if (text.startsWith('<')) return ', with a page of HTML or XML (it is in `body`)'
  const hidden = withoutSecrets(text)
  const excerpt = hidden.length > EXCERPT ? `${hidden.slice(0, EXCERPT)}…` : hidden
  // Control characters would act on the terminal that the message is read on.
  return `: ${excerpt.replace(/\p{Cc}+/gu, ' ')}`
}

function advice(status: number): string {
  if (status === 401 || status === 403)
    return ' Check the API key, and its permission to create webhooks.'
  if (status === 404 || status === 405) {
    return ' Check `baseUrl`: it is the part before /api/v1/webhooks.'
  }
  return ''
}

function readRecord(text: string, answer: WebhookApiErrorFacts): Readonly<Record<string, unknown>> {
  const record = parsed(text)
  if (typeof record === 'object' && record !== null && !Array.isArray(record)) {
    return { ...record }
  }
  throw new WebhookApiError(
    'answer_not_json',
    `The service answered ${answer.status}, but ${text.trim() === '' ? 'without a body' : 'with something that is not a JSON object (it is in `body`)'}.`,
    answer,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
