import type { IncomingMessage, RequestListener } from 'node:http'
import { WebhookError } from '@webhook-receiver/core'
import { readStream, upTo } from '@webhook-receiver/core/adapter'
import { checkSource, isSecretEqual, type SourceRules } from '../request/source.ts'
import { checkRegistration } from './registration.ts'
import {
  type RegisteredWebhookWithSecret,
  type RegistrationRequest,
  TOO_MANY_WEBHOOKS,
} from './registry.ts'

const PATH = '/api/v1/webhooks'

/** The largest registration that is read, in bytes. */
const LIMIT = 65_536

interface EndpointOptions extends SourceRules {
  readonly apiKey: string
  readonly events: ReadonlySet<string>
}

interface Response {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The registration endpoint (contract, section 4). The contract names no status; here it is 201 for a
 * webhook that was made, 401 without the key, 400, 413 and 422 for what cannot be read or is wrong, 409
 * for one webhook too many, 421 for a foreign Host and 403 for a foreign Origin.
 */
export function registrationEndpoint(
  options: EndpointOptions,
  register: (request: RegistrationRequest) => RegisteredWebhookWithSecret | undefined,
): RequestListener {
  async function respondTo(req: IncomingMessage): Promise<Response> {
    const fault = checkSource(req, options)
    if (fault !== undefined) return rejection(fault.status, fault.code, fault.message)
    if (req.url?.replace(/\?.*$/, '') !== PATH) {
      return rejection(404, 'not_found', `There is nothing at this path. Use POST ${PATH}.`)
    }
    if (req.method !== 'POST') {
      const headers = { Allow: 'POST' }
      return rejection(405, 'method_not_allowed', 'Use POST to create a webhook.', headers)
    }
    const key = /^bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
    if (key === undefined || !isSecretEqual(key, options.apiKey)) {
      const message = 'Send the API key as "Authorization: Bearer <API_KEY>".'
      return rejection(401, 'unauthorized', message, { 'WWW-Authenticate': 'Bearer' })
    }
    const text = await readText(req)
    if (text === undefined) {
      const message = `The body should have at most ${LIMIT} bytes.`
      return rejection(413, 'body_too_large', message, { Connection: 'close' })
    }
    return created(text)
  }

  function created(text: string): Response {
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return rejection(400, 'malformed_json', 'The body is not JSON.')
    }
    const checked = checkRegistration(body, options.events)
    if ('fault' in checked) return rejection(422, checked.fault.code, checked.fault.message)
    const webhook = register(checked.request)
    if (webhook !== undefined) return { status: 201, body: webhook }
    return rejection(409, 'too_many_webhooks', TOO_MANY_WEBHOOKS)
  }

  return function registrationEndpoint(req, res) {
    respondTo(req).then(
      ({ status, body, headers }) => {
        res.writeHead(status, { 'Content-Type': 'application/json', ...headers })
        res.end(JSON.stringify(body))
      },
      // The client went away while it was sending.
      () => res.destroy(),
    )
  }
}

function rejection(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return { status, body: { error: { code, message } }, headers }
}

/** The body as text, or `undefined` where it is too large. */
async function readText(req: IncomingMessage): Promise<string | undefined> {
  try {
    const body = await readStream(req, upTo(LIMIT))
    return Buffer.from(body.take()).toString()
  } catch (error) {
    if (error instanceof WebhookError && error.reason === 'body_too_large') return undefined
    throw error
  }
}
