import { brand } from '../copies/brand.ts'
import { inQuotes } from '../validate/describe.ts'
import { checkedResponse, type SchemeResponse, toResponse } from '../validate/response.ts'
import type { Handshake } from './scheme.ts'

/**
 * Thrown by a receiver for a request by which the service checks the endpoint: there is no delivery, and the response is not a
 * rejection. Hono responds with it by itself; elsewhere respond with `getResponse()`.
 */
export class WebhookHandshake extends Error {
  override readonly name = 'WebhookHandshake'
  declare readonly response: SchemeResponse

  /** @throws TypeError for a response that cannot be sent. */
  constructor({ name, response }: Handshake) {
    super(`The service checks the endpoint: ${name}`)
    const value = checkedResponse(response, `the handshake ${inQuotes(name)}`)
    // What is sent is what was checked.
    Object.defineProperty(this, 'response', { value, enumerable: true })
  }

  /** Returns the response as a web-standard Response. */
  getResponse(): Response {
    return toResponse(this.response)
  }
}

brand(WebhookHandshake, '@webhook-receiver/core.WebhookHandshake')
