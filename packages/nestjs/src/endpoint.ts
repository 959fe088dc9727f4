import type { CallHandler, ExecutionContext } from '@nestjs/common'
import type { DiscoveryService, ModuleRef } from '@nestjs/core'
import {
  attach,
  createDeliveryHandler,
  createReceiver,
  type DeliveryHandlerOptions,
  type DeliverySchemas,
  type HandleDelivery,
  handlerFailed,
  type Received,
  type SecretSource,
} from '@webhook-receiver/core/adapter'
import {
  cutShort,
  type Framework,
  type IncomingReceiver,
  incomingReceiver,
  showCause,
} from '@webhook-receiver/node'
import { catchError, type Observable } from 'rxjs'
import { WebhookException } from './exception.ts'
import { findHandlers, instanceFor } from './handlers.ts'
import type { AnyDelivery, AnyEndpointOptions } from './options.ts'
import { type NestReply, type NestRequest, rawOf } from './request.ts'

/** What a route with `@WebhookEndpoint` does: the part of its guard, and the part of its interceptor. */
export class Endpoint {
  readonly #name: string
  readonly #handling: DeliveryHandlerOptions<string, unknown>
  readonly #receive: IncomingReceiver<AnyDelivery, NestRequest>
  /** Which request a delivery came with, for the providers that are request-scoped. */
  readonly #requests = new WeakMap<AnyDelivery, NestRequest>()
  #dispatch: HandleDelivery<AnyDelivery> | undefined

  /** @throws TypeError for an invalid secret or option. */
  constructor(name: string, given: AnyEndpointOptions) {
    assertOptions(given)
    const { secret, handling, ...options } = given
    const receiver = createReceiver(secret as SecretSource<NestRequest>, options)
    const { extraEvents, now, onRejected } = options
    this.#name = name
    this.#handling = { endpoint: name, extraEvents, now, onRejected, ...handling }
    this.#receive = incomingReceiver(receiver, NEST)
  }

  /**
   * Finds the methods with `@OnDelivery`.
   *
   * @throws TypeError for an event that does not exist or has two methods, and for an invalid option of `handling`.
   */
  useHandlers(discovery: DiscoveryService, modules: ModuleRef): void {
    const handlers = findHandlers(this.#name, discovery, (wrapper, delivery) =>
      instanceFor(wrapper, Object(this.#requests.get(delivery)), modules),
    )
    if (Object.keys(handlers).length === 0) return
    this.#dispatch = createDeliveryHandler<DeliverySchemas, string, unknown>(
      handlers,
      this.#handling,
    )
  }

  /** Attaches the delivery to the request, or throws what the sender is answered. */
  async receive(context: ExecutionContext): Promise<true> {
    assertHttp(context)
    const [request, reply]: [NestRequest, NestReply] = context.getArgs()
    try {
      const takeOver = () => reply.hijack?.()
      const received = await this.#receive(rawOf(request), rawOf(reply), request, takeOver)
      // It is answered: nothing may come behind it.
      if (!received) return await new Promise<never>(() => {})
      attach(request, received)
      request.body = received.delivery
      return true
    } catch (error) {
      throw failed(error, reply)
    }
  }

  async handle(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const [request, reply]: [NestRequest & Received<AnyDelivery>, NestReply] = context.getArgs()
    const fail = (thrown: unknown) => {
      throw failed(thrown, reply)
    }
    if (this.#dispatch) {
      this.#requests.set(request.delivery, request)
      await this.#dispatch(request.delivery).catch(fail)
    }
    return next.handle().pipe(catchError(fail))
  }
}

/** Messages of microservices, web sockets and GraphQL are no requests, and what they hold may look like one. */
function assertHttp(context: ExecutionContext): void {
  const type = context.getType()
  if (type === 'http') return
  throw new TypeError(`@WebhookEndpoint() verifies HTTP requests only, and this is ${type}.`)
}

/** The mistakes that the checks of core, which know neither `secret` nor `handling`, cannot name. */
function assertOptions(given: unknown): void {
  if (Object(given) === given && !('store' in Object(given))) return
  throw new TypeError('WebhookModule takes an object: { secret, handling: { store } }.')
}

/**
 * The exception for a refusal, or for what a handler threw, which is 500 whatever it is. The latter is no HttpException, so
 * that Nest logs it.
 */
function failed(thrown: unknown, reply: NestReply): Error {
  const error = handlerFailed(thrown)
  const response = rawOf(reply)
  if (response.headersSent) {
    // Else Nest 11 answers once more.
    reply.hijack?.()
    cutShort(response)
  }
  if (error.reason === 'handler_failed') return showCause(error)
  // Nest has no place for them in an exception.
  for (const [name, value] of Object.entries(error.headers)) reply.header(name, value)
  return new WebhookException(error)
}

const NEST: Framework<NestRequest> = {
  holder: (request) => request,
  address: (request) => request.ip,
  advice:
    'Apply the middleware that read it to other routes only, or let it keep the bytes: ' +
    'json({ verify: (req, _res, bytes) => { req.rawBody = bytes } }).',
}
