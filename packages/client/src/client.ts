import { BodyBuffer, upTo } from '@webhook-receiver/core/adapter'
import { withTimeout } from '@webhook-receiver/core/internal'
import type { CreatedWebhook } from './created-webhook.ts'
import { WebhookApiError } from './errors.ts'
import { type ResolvedOptions, resolveOptions, type WebhookClientOptions } from './options.ts'
import { withoutSecrets } from './redaction.ts'
import { registrationBody, type WebhookRegistration } from './registration.ts'
import { readWebhook } from './response.ts'

export interface WebhookClient<ExtraEvent extends string = never> {
  /**
   * Registers a webhook (contract, section 4) with one POST, which is never retried: that could create a second
   * webhook. When `signal` is aborted, rejects with its reason; the webhook may have been created.
   *
   * @throws TypeError for an invalid registration, before anything is sent.
   * @throws WebhookApiError if no webhook with its secret came back.
   */
  create(
    registration: WebhookRegistration<ExtraEvent>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<CreatedWebhook>
}

/**
 * Creates a client that registers webhooks. The API key is sent to `baseUrl` only, and is in no error.
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * const client = createWebhookClient({ baseUrl: 'https://api.example.com', apiKey: process.env.API_KEY })
 * const { secret } = await client.create({ url: 'https://example.com/webhooks', events: ['message.received'] })
 */
export function createWebhookClient<const ExtraEvent extends string = never>(
  options: WebhookClientOptions<ExtraEvent>,
): WebhookClient<ExtraEvent> {
  const resolved = resolveOptions(options)
  return {
    async create(registration, { signal } = {}) {
      const body = registrationBody(registration, resolved)
      const late = new AbortController()
      const posting = post(resolved, body, AbortSignal.any([signal ?? late.signal, late.signal]))
      return withTimeout(resolved.timeout, posting, () => {
        late.abort()
        return new WebhookApiError('timeout', `No response within ${resolved.timeout} s.`)
      })
    },
  }
}

async function post(
  options: ResolvedOptions,
  body: string,
  signal: AbortSignal,
): Promise<CreatedWebhook> {
  try {
    const response = await options.fetch(options.endpoint, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${options.apiKey}`,
        'Content-Type': 'application/json',
      },
      body,
      // A redirect that is followed could send the key to another host.
      redirect: 'manual',
      signal,
    })
    return readWebhook(response, await readText(response), options)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof WebhookApiError ? error : connectionError(error, options)
  }
}

/** The body of a response; `undefined` if it is larger than 1 MiB. */
async function readText({ body }: Response): Promise<string | undefined> {
  const buffer = new BodyBuffer(upTo(1_048_576))
  for await (const chunk of body ?? []) {
    if (!buffer.add(chunk)) return undefined
  }
  return new TextDecoder().decode(buffer.take())
}

/** What `fetch` threw is not attached: it may hold the request, and with it the key. */
function connectionError(error: unknown, { endpoint, redact }: ResolvedOptions): WebhookApiError {
  const errors = [error, Object(error).cause].map(Object)
  const isUnsent = errors.some(({ code }) => UNSENT.test(code))
  const texts = errors.map(({ message, code }) => message || code).filter(Boolean)
  const seen = withoutSecrets(redact(texts.join(': '))).slice(0, 500)
  return new WebhookApiError(
    isUnsent ? 'not_sent' : 'no_response',
    `The request to ${redact(endpoint)} failed: ${seen}.` +
      (isUnsent ? ' Nothing was sent: check `baseUrl`, the network and the certificate.' : ''),
  )
}

/** Codes of a connection that was never opened. */
const UNSENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|UNABLE_TO_.*|.*CERT.*)$/
