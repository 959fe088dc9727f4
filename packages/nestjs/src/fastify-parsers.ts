import { isEndpoint } from './names.ts'
import { assertHas } from './platform.ts'

/** What is needed of Nest's adapter for Fastify. */
export interface FastifyAdapter {
  post: Register
  all: Register
  getInstance(): { addHook(name: 'onRoute', hook: (route: Route) => void): unknown }
}

type Register = (...args: object[]) => unknown

interface Route {
  preParsing?: Hooks<BeforeParsing>
  preValidation?: Hooks<BeforeValidation>
}

type Hooks<Hook> = Hook | Hook[] | undefined
type BeforeParsing = (request: Headed, reply: object, payload: object, done: () => void) => void
type BeforeValidation = (request: Headed, reply: object, done: () => void) => void

/** A request of Fastify. What is assigned to `headers` is laid over those that came. */
interface Headed {
  headers: object
}

/**
 * Makes Fastify call a method with `@WebhookEndpoint` without parsing, whatever the body is: to decide whether there
 * is something to parse, Fastify looks for these headers.
 *
 * By a hook for the routes themselves, so that Fastify's router alone decides which requests those are.
 *
 * @throws TypeError for an adapter or an instance without the methods that this needs.
 */
export function spareEndpoints(adapter: FastifyAdapter): void {
  assertHas("Nest's adapter", adapter, {
    post: 'function',
    all: 'function',
    getInstance: 'function',
  })
  const instance = adapter.getInstance()
  assertHas("Fastify's instance", instance, { addHook: 'function' })
  let registering = false
  for (const method of ['post', 'all'] as const) {
    const register = adapter[method].bind(adapter)
    adapter[method] = (...args) => {
      registering = isEndpoint(args.at(-1) ?? {})
      try {
        return register(...args)
      } finally {
        registering = false
      }
    }
  }
  instance.addHook('onRoute', (route) => {
    if (!registering) return
    route.preParsing = [route.preParsing ?? [], hideBody].flat()
    route.preValidation = [showBody, route.preValidation ?? []].flat()
  })
}

const NO_BODY = {
  'content-length': undefined,
  'content-type': undefined,
  'transfer-encoding': undefined,
}

const hidden = new WeakMap<Headed, object>()

const hideBody: BeforeParsing = (request, _reply, _payload, done) => {
  hidden.set(request, request.headers)
  request.headers = { ...request.headers, ...NO_BODY }
  done()
}

const showBody: BeforeValidation = (request, _reply, done) => {
  request.headers = hidden.get(request) ?? request.headers
  done()
}
