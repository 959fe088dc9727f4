import type { IncomingMessage, ServerResponse } from 'node:http'
import { isEndpoint, isRoute } from './names.ts'
import { assertHas } from './platform.ts'

type Next = (error?: unknown) => unknown
type Handler = (req: ExpressRequest, res: ServerResponse, next: Next) => unknown

/** A request as Express gives it to a middleware: `path` is what its router reads. */
interface ExpressRequest extends IncomingMessage {
  readonly baseUrl: string
  readonly path: string
}

/** A layer of Express 5's router: a middleware, or a route with layers of its own. */
type Methods = Readonly<Record<string, boolean>>

interface Layer {
  handle: Handler
  readonly name?: string
  /** Whether it is mounted on no path. */
  readonly slash?: boolean
  readonly route?: { readonly methods: Methods; readonly stack: Layer[] }
  match(path: string): boolean
}

/** The names that body-parser gives its middlewares. Nest finds them by these, too. */
const PARSER = /^(?:json|urlencoded|text|raw)Parser$/

/** What is needed of Nest's adapter for Express. */
export interface ExpressAdapter {
  applyVersionFilter: VersionFilter
  getInstance(): { readonly router: { readonly stack: readonly Layer[] } }
}

type VersionFilter = (handler: Handler, ...rest: object[]) => Handler

/** What is made here, and must not be made of itself again. */
const made = new WeakSet<Handler>()

/**
 * Makes the handlers of versioned routes parse what was not parsed once their version has matched: the handler of
 * another version comes first, and must not read the body. To be called before the routes are registered.
 *
 * @throws TypeError for an adapter without version filters.
 */
export function parseByVersion(adapter: ExpressAdapter): void {
  assertHas("Nest's adapter", adapter, { applyVersionFilter: 'function' })
  const applyVersionFilter = adapter.applyVersionFilter.bind(adapter)
  adapter.applyVersionFilter = (handler, ...rest) => {
    // The metadata that tells an endpoint comes to what is returned here.
    const filter = applyVersionFilter(
      parsedFirst(handler, () => isEndpoint(filter)),
      ...rest,
    )
    made.add(filter)
    return filter
  }
}

/**
 * Makes body parsers leave alone what Express is going to route to a method with `@WebhookEndpoint`. To be called when
 * the routes are registered.
 *
 * The layers of the router tell which requests those are. Where a request is routed in another way after all, the
 * guard finds a body that was read, and responds with 500.
 *
 * @throws TypeError for a router that has no such layers.
 */
export function spareEndpoints(adapter: ExpressAdapter): void {
  const stack = layersOf(adapter)
  const endpoints = stack.filter(({ route }) =>
    route?.stack.some(({ handle }) => isEndpoint(handle)),
  )
  if (endpoints.length === 0) return
  const others = stack.filter(
    (layer) =>
      !endpoints.includes(layer) && layer.route?.stack.some(({ handle }) => isRoute(handle)),
  )
  for (const layer of stack) {
    if (PARSER.test(layer.name ?? '') && !made.has(layer.handle)) {
      layer.handle = sparing(layer, endpoints, others)
    }
  }
}

function layersOf(adapter: ExpressAdapter): readonly Layer[] {
  assertHas("Nest's adapter", adapter, { getInstance: 'function' })
  const { router } = adapter.getInstance()
  assertHas("Express's router", router, { stack: 'object' })
  for (const layer of router.stack) {
    assertHas("a layer of Express's router", layer, { handle: 'function', match: 'function' })
    if (!layer.route) continue
    assertHas('a route of Express', layer.route, { methods: 'object', stack: 'object' })
    for (const inner of layer.route.stack) {
      assertHas('a layer of a route of Express', inner, { handle: 'function' })
    }
  }
  return router.stack
}

/** The parsers that have not run for a request. */
const postponed = new WeakMap<IncomingMessage, Handler[]>()

function sparing(
  { handle: parser, slash }: Layer,
  endpoints: readonly Layer[],
  others: readonly Layer[],
): Handler {
  return renamed(parser, (req, res, next) => {
    const parsers = postponed.get(req)
    // A parser that is mounted on a path sees the rest of it.
    const path = slash ? req.path : req.baseUrl + req.path
    if (parsers) parsers.push(parser)
    else if (endpoints.some((layer) => takes(layer, req, path))) {
      postponed.set(req, [parser])
      // A pattern may get the request in the place of the endpoint.
      for (const layer of others) if (takes(layer, req, path)) parseFirst(layer)
    } else return parser(req, res, next)
    return next()
  })
}

function takes(layer: Layer, { method }: ExpressRequest, path: string): boolean {
  const methods: Methods = layer.route?.methods ?? {}
  if (!methods._all && !methods[`${method}`.toLowerCase()]) return false
  try {
    return layer.match(path)
  } catch {
    // Express responds to a path that cannot be decoded.
    return false
  }
}

function parseFirst({ route }: Layer): void {
  for (const layer of route?.stack ?? []) {
    if (!made.has(layer.handle)) layer.handle = parsedFirst(layer.handle)
  }
}

/** A handler behind the parsers that have not run. */
function parsedFirst(handler: Handler, isSpared: () => boolean = () => false): Handler {
  return renamed(handler, (req, res, next) => {
    const parsers = isSpared() ? [] : (postponed.get(req)?.splice(0) ?? [])
    const go: Next = (error) => {
      if (error) return next(error)
      const parser = parsers.shift()
      return parser ? parser(req, res, go) : handler(req, res, next)
    }
    return go()
  })
}

function renamed({ name }: Handler, handler: Handler): Handler {
  made.add(handler)
  return Object.defineProperty(handler, 'name', { value: name })
}
