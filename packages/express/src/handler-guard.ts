import { handlerFailed } from '@webhook-receiver/core/adapter'
import type { NextFunction, Request, Response } from 'express'
import { isReceived, markReceived, passError } from './error-path.ts'
import { type Layer, layersOf, routerOf } from './router-stack.ts'

const patched = new WeakSet<object>()

/**
 * From here on, whatever a handler of this request throws, rejects with or gives to `next` is answered 500.
 *
 * Express has no hook for that: it takes a status off an error, and for a falsy value or 'route' it runs the next
 * handler. So the one method through which it runs handlers runs those of a guarded request in a `try`. Other
 * requests, error handlers and the layers themselves stay as they are: docs/decisions/0014.
 */
export function guardHandlers(req: Request): void {
  markReceived(req)
  for (const owner of [req.route, req.app && routerOf(req.app)]) {
    const [layer] = layersOf(owner)
    if (layer) patch(Object.getPrototypeOf(layer))
  }
}

/** The method's name in Express 5 and in Express 4. Where there is neither, nothing is done. */
const RUN_METHODS = ['handleRequest', 'handle_request']

function patch(prototype: object): void {
  if (patched.has(prototype)) return
  patched.add(prototype)
  const name = RUN_METHODS.find((method) => typeof Reflect.get(prototype, method) === 'function')
  if (name === undefined) return
  const run = Reflect.get(prototype, name)
  Reflect.set(prototype, name, function (this: Layer, ...args: Parameters<Handle>) {
    return Reflect.apply(run, isReceived(args[0]) ? guarded(this) : this, args)
  })
}

interface GuardedLayer {
  readonly layer: Layer
  /** The handler that the layer had: an application can replace it. */
  readonly original: unknown
}

const guardedLayers = new WeakMap<Layer, GuardedLayer>()

/** The same layer with its handler in a `try`. */
function guarded(layer: Layer): Layer {
  const { handle } = layer
  if (!isHandler(handle)) return layer
  const known = guardedLayers.get(layer)
  if (known?.original === handle) return known.layer
  const made: Layer = Object.create(layer, { handle: { value: withFailureHandling(handle) } })
  guardedLayers.set(layer, { layer: made, original: handle })
  return made
}

/** One of four arguments handles errors. */
function isHandler(handle: unknown): handle is Handle {
  return typeof handle === 'function' && handle.length < 4
}

type Handle = (req: Request, res: Response, next: NextFunction) => unknown

/** A handler that fails with a WebhookError, and with nothing else. */
function withFailureHandling(handle: Handle): Handle {
  const handler: Handle = (req, res, next) => {
    const fail = (thrown: unknown) => passError(handlerFailed(thrown), req, res, next)
    const go: NextFunction = (given?: unknown) => (isRouteSignal(given) ? next(given) : fail(given))
    try {
      const result = handle(req, res, go)
      // Express 4 does not wait for a promise, and its rejection would end the process.
      return isPending(result) ? Promise.resolve(result).catch(fail) : undefined
    } catch (thrown) {
      return fail(thrown)
    }
  }
  return Object.defineProperty(handler, 'name', { value: handle.name })
}

/** What a handler may give to `next` without having failed. */
function isRouteSignal(given: unknown): given is 'route' {
  return !given || given === 'route' || given === 'router'
}

function isPending(result: unknown): result is PromiseLike<unknown> {
  return typeof result === 'object' && result !== null && 'then' in result
}
