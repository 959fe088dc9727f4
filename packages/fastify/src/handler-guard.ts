import { handlerFailed, printHandlerFailure } from '@webhook-receiver/core/adapter'
import { cutShort, showCause } from '@webhook-receiver/node'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify'

/** Marks the `config` of a route whose handler is guarded. */
const GUARDED = Symbol('guarded')

/** Whatever the handler of a route that is declared from here on throws is answered 500. */
export function guardRoutes(instance: FastifyInstance): void {
  instance.addHook('onRoute', (route) => {
    if (isGuarded(route.config)) return
    route.handler = withFailureHandling(route.handler, route.errorHandler)
    route.config = Object.assign({}, route.config, { [GUARDED]: true })
  })
}

/**
 * The same for the route of a request that was declared before the plugin had loaded: `register` without `await`.
 * There is no hook for those, so this goes by what both majors keep of a route; where that is not found, nothing is done.
 */
export function guardRouteOf(request: FastifyRequest): void {
  const context: EarlyRoute | undefined = Reflect.get(request, contextSymbolOf(request))
  if (typeof context?.handler !== 'function' || isGuarded(context.config)) return
  context.handler = withFailureHandling(context.handler, context.errorHandler?.func)
  Object.assign(context.config, { [GUARDED]: true })
}

/** The name of the property is a symbol that each copy of Fastify has for itself. */
function contextSymbolOf(request: FastifyRequest): symbol {
  if (!(contextSymbol in request)) {
    contextSymbol =
      Object.getOwnPropertySymbols(request).find(
        ({ description }) => description === 'fastify.context',
      ) ?? contextSymbol
  }
  return contextSymbol
}

let contextSymbol = Symbol('not found yet')

interface EarlyRoute {
  handler: RouteHandlerMethod
  readonly config: object
  readonly errorHandler?: { readonly func?: RouteOptions['errorHandler'] }
}

function isGuarded(config: object | undefined): boolean {
  return config !== undefined && GUARDED in config
}

type ErrorHandler = RouteOptions['errorHandler']

function withFailureHandling(
  handler: RouteHandlerMethod,
  routeErrorHandler: ErrorHandler,
): RouteHandlerMethod {
  return function (request, reply) {
    const fail = (thrown: unknown) => failHandler(thrown, request, reply, routeErrorHandler)
    try {
      const result: unknown = handler.call(this, request, reply)
      // A reply is a thenable too, and Fastify knows what to do with its own.
      return result !== reply && isPending(result) ? Promise.resolve(result).catch(fail) : result
    } catch (thrown) {
      return fail(thrown)
    }
  }
}

function isPending(result: unknown): result is PromiseLike<unknown> {
  return typeof result === 'object' && result !== null && 'then' in result
}

/** Throws what Fastify answers 500; where the handler has begun to answer, ends that. */
function failHandler(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  routeErrorHandler: ErrorHandler,
): undefined {
  const error = handlerFailed(thrown)
  // Fastify's log tells those causes of an error that are errors themselves.
  if (error !== thrown && !(error.cause instanceof Error)) showCause(error)
  // What the receiver itself refuses was reported where it was refused.
  const isFailure = error.reason === 'handler_failed'
  const begun = reply.sent || reply.raw.headersSent
  if (begun && !hasNoLogger(request)) {
    request.log.error({ err: error }, 'The handler failed. Its answer was cut off.')
  } else if (
    begun ||
    (isFailure && hasNoLogger(request) && !hasErrorHandler(request, routeErrorHandler))
  ) {
    printHandlerFailure(error, begun)
  }
  if (begun) {
    if (!reply.sent) reply.hijack()
    cutShort(reply.raw)
    return
  }
  // The handler may have set another one, which Fastify 4 would keep.
  reply.code(error.status)
  throw error
}

/** Whether Fastify was made without a logger: then its own error handler prints nothing. */
function hasNoLogger({ log }: FastifyRequest): boolean {
  return log.error === log.fatal && !('level' in log)
}

function hasErrorHandler({ server }: FastifyRequest, routeErrorHandler: ErrorHandler): boolean {
  return [routeErrorHandler, server.errorHandler].some(
    (handler) => handler !== undefined && handler.name !== 'defaultErrorHandler',
  )
}
