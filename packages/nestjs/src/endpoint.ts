import { type CallHandler, type ExecutionContext, Logger } from '@nestjs/common'
import type { DiscoveryService, ModuleRef } from '@nestjs/core'
import type { Received, SecretSource } from '@webhook-receiver/core'
import {
  attach,
  createWebhookHandling,
  describeError,
  FORWARD_ERRORS,
  type ForwardErrors,
  isWebhookError,
  responseTo,
  type WebhookHandling,
} from '@webhook-receiver/core/adapter'
import {
  type Framework,
  type IncomingReceiver,
  incomingReceiver,
} from '@webhook-receiver/node/adapter'
import { lastValueFrom, type Observable, of } from 'rxjs'
import { WebhookException } from './exception.ts'
import { findHandlers, type Handlers, instanceFor, warnWithoutRoute } from './handlers.ts'
import { DEFAULT_NAME } from './names.ts'
import type { AnyDelivery, AnyEndpointOptions } from './options.ts'
import { type NestReply, type NestRequest, rawOf } from './request.ts'
import { respond } from './response.ts'

type Handling = WebhookHandling<AnyDelivery, NestRequest, Own>

/** The secret is checked elsewhere. It is here, so that the error for a misspelt option names it. */
interface Own extends ForwardErrors {
  readonly secret?: boolean | undefined
}

const RULES = { secret: FORWARD_ERRORS, forwardErrors: FORWARD_ERRORS }

/** What a route with `@WebhookEndpoint` does: the part of its guard, and the part of its interceptor. */
export class Endpoint {
  readonly #name: string
  readonly #handlingWith: (handlers: Handlers) => Handling
  #receive: IncomingReceiver<AnyDelivery, NestRequest> | undefined
  #handling: Handling | undefined
  #hasHandlers = false

  /** @throws TypeError for options that are not an object. */
  constructor(name: string, given: AnyEndpointOptions) {
    if (Object(given) !== given) {
      throw new TypeError('WebhookModule takes an object: { secret, store }.')
    }
    const { secret, ...others } = given
    const options = { ...(name !== DEFAULT_NAME && { endpoint: name }), ...others }
    this.#name = name
    this.#handlingWith = (handlers) =>
      createWebhookHandling<NestRequest, AnyDelivery, Own>(
        secret as SecretSource<NestRequest>,
        handlers,
        options,
        { url: NEST.url, report: logError, rules: RULES },
      )
  }

  /**
   * Finds the methods with `@OnDelivery`, when the application starts.
   *
   * @throws TypeError for an invalid secret or option, and for an event that does not exist or has two methods.
   */
  useHandlers(discovery: DiscoveryService, modules: ModuleRef, isServed: boolean): void {
    if (isServed) warnWithoutRoute(this.#name, discovery)
    const handlers = findHandlers(this.#name, discovery, (wrapper, request) =>
      instanceFor(wrapper, request, modules),
    )
    this.#hasHandlers = Object.keys(handlers).length > 0
    this.#handling = this.#handlingWith(this.#hasHandlers ? handlers : { any() {} })
    this.#receive = incomingReceiver(this.#handling.receiver, NEST)
  }

  /** Attaches the delivery to the request, or responds. */
  async receive(context: ExecutionContext): Promise<boolean> {
    assertHttp(context)
    const [request, reply]: [NestRequest, NestReply] = context.getArgs()
    try {
      const takeOver = () => reply.hijack?.()
      const received = await this.#receive?.(rawOf(request), rawOf(reply), request, takeOver)
      // Also for an application that was not initialised, which has no routes.
      if (!received) return await never()
      attach(request, received, request)
      return true
    } catch (error) {
      return this.#respond(error, reply)
    }
  }

  async handle(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const [request, reply]: [NestRequest & Received<AnyDelivery>, NestReply] = context.getArgs()
    const handling = this.#handling
    if (!handling) return never()
    const { delivery, verification } = request
    let response = handling.success
    try {
      if (this.#hasHandlers) {
        response = await handling.handle({ delivery, verification }, { request })
      }
    } catch (error) {
      return this.#respond(error, reply)
    }
    try {
      const returned: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined })
      response = handling.replyOf(returned) ?? response
      // Nest responds with the status of @WebhookEndpoint().
      if (response === handling.success && response.status === NO_CONTENT) return of(returned)
    } catch (thrown) {
      return this.#respond(await handling.failed(thrown, request.delivery, request), reply)
    }
    respond(reply, response)
    return never()
  }

  /** Responds to what was thrown, by way of the exception filters if the errors are forwarded. */
  #respond(error: unknown, reply: NestReply): Promise<never> {
    const response = responseTo(error, this.#handling?.own.forwardErrors)
    if (response) {
      respond(reply, response)
      return never()
    }
    if (!isWebhookError(error)) return Promise.reject(error)
    // Nest has no place for them in an exception.
    for (const [name, value] of Object.entries(error.headers)) reply.header(name, value)
    return Promise.reject(new WebhookException(error))
  }
}

/** The response was sent: nothing of Nest may come behind it. What waits for this goes away with the request. */
function never(): Promise<never> {
  return new Promise(() => {})
}

/** Messages of microservices, web sockets and GraphQL are no requests, and what they hold may look like one. */
function assertHttp(context: ExecutionContext): void {
  const type = context.getType()
  if (type === 'http') return
  throw new TypeError(`@WebhookEndpoint() verifies HTTP requests only, and this is ${type}.`)
}

/** The status of `@WebhookEndpoint()`. */
const NO_CONTENT = 204

const LOGGER = new Logger('WebhookEndpoint')

function logError(error: unknown, _failed: unknown, line: string): void {
  LOGGER.error(line, describeError(error).stack)
}

const NEST: Framework<NestRequest> = {
  holder: (request) => request,
  address: (request) => request.ip,
  url: (request) => request.originalUrl,
  advice:
    'Apply the middleware that read it to other routes only, or let it keep the bytes: ' +
    'json({ verify: (req, _res, bytes) => { req.rawBody = bytes } }).',
}
