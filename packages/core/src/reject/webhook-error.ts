import { brand } from '../copies/brand.ts'
import { checkHeaders } from '../validate/response.ts'
import { CODES, REASONS, type Reason, STATUS_HEADERS, type Status } from './reasons.ts'

export interface WebhookErrorOptions {
  /** The underlying error, for the operator's log. */
  readonly cause?: unknown
  /** Response headers besides those that the status itself requires. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The error of this library: a request was rejected, and why.
 *
 * Express, Koa, Fastify and Hono can respond with it directly. `code` and `message` are the same for every error with the
 * same status, so the sender learns nothing from them. `reason` and `detail` are for the operator. It contains no body,
 * no secret and no received signature.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  /** The HTTP status of the response. */
  declare readonly status: Status
  /** The same as `status`, under the name that Fastify and http-errors read. */
  declare readonly statusCode: Status
  /** Whether a framework may show `message` to the sender: true for 4xx. */
  declare readonly expose: boolean
  /** A code for the sender: one per status. */
  declare readonly code: string
  /** Why the request was rejected, for the operator only: a heading in docs/errors.md. */
  declare readonly reason: Reason
  /** Response headers, such as Allow and Retry-After. */
  declare readonly headers: Readonly<Record<string, string>>
  /** What the receiver saw, why it rejected the request and what to do. Not enumerable, so that no serialiser sends it. */
  declare readonly detail: string

  /** @throws TypeError for headers that cannot be sent. */
  constructor(reason: Reason, detail: string, options: WebhookErrorOptions = {}) {
    const { status, closes }: { readonly status: Status; readonly closes?: true } = REASONS[reason]
    const code = CODES[status]
    super(code.replaceAll('_', ' '), options)
    this.status = status
    this.statusCode = status
    this.expose = status < 500
    this.code = code
    this.reason = reason
    if (options.headers) checkHeaders(options.headers, 'a WebhookError')
    const own = closes && { Connection: 'close' }
    this.headers = Object.assign({}, STATUS_HEADERS[status], own, options.headers)
    Object.defineProperty(this, 'detail', { value: detail, configurable: true })
    // Express shows the stack to the sender outside production; the frames would tell which check failed.
    this.stack = `${this.name}: ${this.message}`
  }

  /** Returns the response as a web-standard Response. Hono calls this automatically. */
  getResponse(): Response {
    const { status, headers } = this
    if (isEmpty(this)) return new Response(null, { status, headers })
    return new Response(responseBody(this), {
      status,
      headers: { 'Content-Type': 'application/json', ...headers },
    })
  }

  /** Returns the body of the response. It never contains the reason, the detail or the cause. */
  toJSON(): { readonly code: string; readonly message: string } {
    return { code: this.code, message: this.message }
  }
}

brand(WebhookError, '@webhook-receiver/core.WebhookError')

/** The JSON body of the response: the same for every error with the same status. The copy of core in another release may have more codes. */
export function responseBody({ code }: WebhookError): string {
  return JSON.stringify({ code, message: code.replaceAll('_', ' ') })
}

/** Leaves the body of the response out, for a service that takes it for a fault of the endpoint. */
export function withoutBody(error: WebhookError): void {
  Object.defineProperty(error, EMPTY, { value: true })
}

/** Whether the response has no body. */
export function isEmpty(error: WebhookError): boolean {
  return Object.hasOwn(error, EMPTY)
}

// Of the registry: an application may hold two copies of core.
const EMPTY = /* @__PURE__ */ Symbol.for('@webhook-receiver/core.emptyRejection')

/** Says which methods the route has, where the service also checks the endpoint by others than POST (RFC 9110, section 15.5.6). */
export function allowMethods(error: WebhookError, methods: readonly string[]): void {
  Object.assign(error.headers, { Allow: methods.join(', ') })
}

/** Adds sentences to what the operator is told. */
export function addDetail(error: WebhookError, sentences: string): void {
  replaceDetail(error, `${error.detail} ${sentences}`)
}

/** Changes what the operator is told. */
export function replaceDetail(error: WebhookError, detail: string): void {
  Object.defineProperty(error, 'detail', { value: detail })
}

/** As `instanceof`, which by `brand` never throws, whatever a handler has thrown. */
export function isWebhookError(error: unknown): error is WebhookError {
  return error instanceof WebhookError
}

/** Whether the response to an error closes the connection, so that nothing more is read from it. */
export function closesConnection(error: unknown): boolean {
  return isWebhookError(error) && error.headers.Connection === 'close'
}
