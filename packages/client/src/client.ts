import { readAnswer } from './answer.ts'
import type { CreatedWebhook } from './created-webhook.ts'
import { type ApiFailure, WebhookApiError } from './errors.ts'
import { type ResolvedOptions, resolveOptions, type WebhookClientOptions } from './options.ts'
import { withoutSecrets } from './redaction.ts'
import { checkedRegistration, type WebhookRegistration } from './registration.ts'
import { withTimeout } from './timeout.ts'

export interface CreateOptions {
  /** Aborts the request; `create` then rejects with its reason. The webhook may have been created. */
  readonly signal?: AbortSignal | undefined
}

export interface WebhookClient<ExtraEvent extends string = never> {
  /**
   * Registers a webhook (contract, section 4): one POST, which is never sent a second time by itself,
   * since that could make a second webhook.
   *
   * @throws TypeError for an invalid registration, before anything is sent.
   * @throws WebhookApiError where no webhook with its secret came back.
   */
  create(
    registration: WebhookRegistration<ExtraEvent>,
    options?: CreateOptions,
  ): Promise<CreatedWebhook>
}

/**
 * A client of the registration end point. The API key is sent to `baseUrl` and nowhere else, and is in
 * no error.
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
      const body = JSON.stringify(checkedRegistration(registration, resolved))
      checkSignal(signal)
      return withTimeout(resolved.timeout, signal, async (signal) =>
        readAnswer(await post(resolved, body, signal), resolved),
      )
    },
  }
}

function checkSignal(signal: unknown): void {
  if (signal === undefined) return
  // By its shape: the class of another realm, as in a test's DOM, is another class.
  if (typeof signal === 'object' && signal !== null && 'aborted' in signal) return
  throw new TypeError(
    '`signal` should be an AbortSignal, such as that of a `new AbortController()`.',
  )
}

async function post(
  { endpoint, redactedEndpoint, apiKey, fetch, redact }: ResolvedOptions,
  body: string,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(endpoint, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
      },
      body,
      // A redirect that is followed may carry the key to another host.
      redirect: 'manual',
      signal,
    })
  } catch (error) {
    const description = withoutSecrets(redact(describeError(error))).slice(0, 1000)
    const [reason, advice]: [ApiFailure, string] = NOT_SENT.test(description)
      ? ['not_sent', 'Nothing was sent: check `baseUrl`, the network and the certificate.']
      : ['no_answer', '']
    throw new WebhookApiError(
      reason,
      `The request to ${redactedEndpoint} failed: ${description}. ${advice}`,
    )
  }
}

/** Errors of a connection that was never made, so that nothing was sent. */
const NOT_SENT =
  /\((?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|UNABLE_TO_\w+|\w*CERT\w*)\)/

const MAX_CAUSES = 5

/**
 * The messages of an error and its causes. The error itself is not attached: what a `fetch` throws may hold the
 * request, and with it the key.
 */
function describeError(error: unknown, causes = MAX_CAUSES): string {
  if (!(error instanceof Error)) return 'fetch threw something that is not an Error'
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  const cause = error.cause && causes > 0 ? `: ${describeError(error.cause, causes - 1)}` : ''
  return `${error.message}${code}${cause}`
}
