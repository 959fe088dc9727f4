import { ContextIdFactory, type DiscoveryService, MetadataScanner, ModuleRef } from '@nestjs/core'
import type { HandlerContext } from '@webhook-receiver/core/adapter'
import { isObservable, lastValueFrom } from 'rxjs'
import { tokenOf } from './names.ts'
import { declared, type Handled, handledBy } from './on-delivery.ts'
import type { AnyDelivery } from './options.ts'

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number]

/** A method with `@OnDelivery`. */
interface FoundMethod extends Handled {
  readonly wrapper: Wrapper
  readonly method: string
  /** As an error message names it. */
  readonly title: string
}

export type Handlers = Readonly<
  Record<string, (delivery: AnyDelivery, context: HandlerContext<unknown>) => unknown>
>

/**
 * The methods with `@OnDelivery` that belong to an endpoint, by event.
 *
 * @throws TypeError for two methods of one event, for a name that no endpoint has, and for one that two have.
 */
export function findHandlers(
  name: string,
  discovery: DiscoveryService,
  resolve: (wrapper: Wrapper, delivery: AnyDelivery) => unknown,
): Handlers {
  const providers = discovery.getProviders()
  const endpoints = providers.filter(({ token }) => token === tokenOf(name))
  if (endpoints.length > 1) {
    throw new TypeError(
      `There are ${endpoints.length} endpoints named '${name}'. Import WebhookModule once for each name.`,
    )
  }
  const handlers = new Map<string, FoundMethod>()
  for (const found of [...providers, ...discovery.getControllers()].flatMap(methodsOf)) {
    if (!providers.some(({ token }) => token === tokenOf(found.name))) {
      throw new TypeError(
        `${found.title} is for an endpoint that does not exist. Import ${tokenOf(found.name)}.`,
      )
    }
    if (found.name !== name) continue
    const other = handlers.get(found.event)
    if (other) {
      throw new TypeError(
        `${other.title} and ${found.title} are both for ${JSON.stringify(found.event)}. Keep one of them, and let it call the other.`,
      )
    }
    handlers.set(found.event, found)
  }
  const entries = Array.from(handlers.values(), ({ event, wrapper, method }) => {
    const work: Handlers[string] = async (delivery, context) => {
      const instance = Object(await resolve(wrapper, delivery))
      const result = await instance[method](delivery, context)
      // Its work begins when something subscribes, as Nest does with what a route returns.
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined })
    }
    return [event, work] as const
  })
  return Object.fromEntries(entries)
}

/**
 * The methods with `@OnDelivery` for an endpoint that are never called, as `Class.method`: no provider and no controller has
 * their class.
 */
export function findForgotten(name: string, discovery: DiscoveryService): readonly string[] {
  const prototypes = [...discovery.getProviders(), ...discovery.getControllers()].map(prototypeOf)
  return declared
    .filter((use) => use.name === name)
    .filter(({ target }) => !prototypes.some((each) => each === target || isBehind(target, each)))
    .map(({ target, method }) => `${target.constructor.name}.${method}`)
}

function isBehind(target: object, prototype: object | null): boolean {
  return prototype !== null && Object.prototype.isPrototypeOf.call(target, prototype)
}

const scanner = new MetadataScanner()

function methodsOf(wrapper: Wrapper): readonly FoundMethod[] {
  const { host } = wrapper
  const prototype = prototypeOf(wrapper)
  if (prototype === null) return []
  return scanner.getAllMethodNames(prototype).flatMap((method) =>
    handledBy(Object(prototype[method])).map((handled) => ({
      ...handled,
      wrapper,
      method,
      title: `${wrapper.name}.${method} (in ${host?.name})`,
    })),
  )
}

/** Where the methods of a provider are. A factory that is request-scoped has made nothing yet. */
function prototypeOf({ instance, isAlias }: Wrapper): Record<string, object> | null {
  if (isAlias || typeof instance !== 'object' || instance === null) return null
  return Object.getPrototypeOf(instance)
}

/** The instance of a provider for a request: its own, where the provider is request-scoped or depends on one that is. */
export function instanceFor(wrapper: Wrapper, request: object, modules: ModuleRef): unknown {
  if (wrapper.isDependencyTreeStatic() && !wrapper.isTransient) return wrapper.instance
  const context = ContextIdFactory.getByRequest(request)
  modules.registerRequestByContextId(request, context)
  // By the module of the provider: another module may have another class under the same token.
  const own = wrapper.host?.providers.get(ModuleRef)?.instance as ModuleRef
  return own.resolve(wrapper.token as string, context, { strict: true })
}
