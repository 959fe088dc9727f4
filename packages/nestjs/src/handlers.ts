import {
  ContextIdFactory,
  type DiscoveryService,
  MetadataScanner,
  type ModuleRef,
} from '@nestjs/core'
import type { HandlerContext } from '@webhook-receiver/core/adapter'
import { tokenOf } from './names.ts'
import { type Handled, handledBy } from './on-delivery.ts'
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
      return instance[method](delivery, context)
    }
    return [event, work] as const
  })
  return Object.fromEntries(entries)
}

const scanner = new MetadataScanner()

function methodsOf(wrapper: Wrapper): readonly FoundMethod[] {
  const { instance, isAlias, host } = wrapper
  if (isAlias || typeof instance !== 'object' || instance === null) return []
  const prototype = Object.getPrototypeOf(instance)
  return scanner.getAllMethodNames(prototype).flatMap((method) =>
    handledBy(prototype[method]).map((handled) => ({
      ...handled,
      wrapper,
      method,
      title: `${wrapper.name}.${method} (in ${host?.name})`,
    })),
  )
}

/** The instance of a provider for a request: its own, where the provider is request-scoped or depends on one that is. */
export function instanceFor(wrapper: Wrapper, request: object, modules: ModuleRef): unknown {
  if (wrapper.isDependencyTreeStatic() && !wrapper.isTransient) return wrapper.instance
  const context = ContextIdFactory.getByRequest(request)
  modules.registerRequestByContextId(request, context)
  return modules.resolve(wrapper.token as string, context, { strict: false })
}
