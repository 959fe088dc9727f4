import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Refusal, readStream } from '@webhook-receiver/core/adapter'
import { checkRegistration } from './registration-request.ts'
import {
  type RegisteredWebhookWithSecret,
  type RegistrationRequest,
  tooManyWebhooks,
} from './registry.ts'
import { checkSource } from './request-source.ts'
import type { ResolvedOptions } from './resolved-options.ts'

const PATH = '/api/v1/webhooks'

/** The largest registration that is read, in bytes. */
const LIMIT = 65_536

interface Answer {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The registration end point (contract, section 4). The contract names no status; here it is 201 for a
 * webhook that was made, 401 without the key, 400, 413 and 422 for what cannot be read or is wrong, 409
 * for one webhook too many, 421 for a foreign Host and 403 for a foreign Origin.
 */
export function registrationEndpoint(
  options: ResolvedOptions,
  register: (request: RegistrationRequest) => RegisteredWebhookWithSecret | undefined,
): RequestListener {
  async function answerTo(req: IncomingMessage): Promise<Answer> {
    const fault = checkSource(req, options)
    if (fault !== undefined) return refusal(fault.status, fault.code, fault.message)
    if (req.url?.replace(/\?.*$/, '') !== PATH) {
      return refusal(404, 'not_found', `There is nothing at this path. Use POST ${PATH}.`)
    }
    if (req.method !== 'POST') {
      return refusal(405, 'method_not_allowed', 'Use POST to create a webhook.', {
        Allow: 'POST',
      })
    }
    if (!hasKey(req, options.apiKey)) {
      return refusal(
        401,
        'unauthorized',
        'Send the API key as "Authorization: Bearer <API_KEY>".',
        {
          'WWW-Authenticate': 'Bearer',
        },
      )
    }
    const text = await readText(req)
    if (text === undefined) {
      return refusal(413, 'body_too_large', `The body should have at most ${LIMIT} bytes.`, {
        Connection: 'close',
      })
    }
    return created(text)
  }

  function created(text: string): Answer {
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return refusal(400, 'malformed_json', 'The body is not JSON.')
    }
    const checked = checkRegistration(body, options)
    if ('fault' in checked) return refusal(422, checked.fault.code, checked.fault.message)
    const webhook = register(checked.request)
    if (webhook === undefined) {
      return refusal(409, 'too_many_webhooks', tooManyWebhooks(options.maxWebhooks))
    }
    return { status: 201, body: webhook }
  }

  return function registrationEndpoint(req, res) {
    answerTo(req).then(
      (answer) => send(res, answer),
      // The client went away while it was sending.
      () => res.destroy(),
    )
  }
}

function refusal(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, body: { error: { code, message } }, headers }
}

/** Hashed, so that keys of any length are compared in constant time. */
function hasKey(req: IncomingMessage, apiKey: string): boolean {
  const key = /^bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
  return key !== undefined && timingSafeEqual(sha256(key), sha256(apiKey))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The body as text, or `undefined` where it is too large. */
async function readText(req: IncomingMessage): Promise<string | undefined> {
  try {
    return Buffer.from(await readStream(req, { limit: LIMIT })).toString()
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'body_too_large') return undefined
    throw error
  }
}

function send(res: ServerResponse, { status, body, headers }: Answer): void {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  res.end(JSON.stringify(body))
}
