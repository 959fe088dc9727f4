import { Logger } from '@nestjs/common'
import { ContextIdFactory, type DiscoveryService, MetadataScanner, ModuleRef } from '@nestjs/core'
import type { WebhookContext } from '@webhook-receiver/core'
import { isObservable, lastValueFrom } from 'rxjs'
import { DEFAULT_NAME, ENDPOINT, isRoute, metadataOf, tokenOf } from './names.ts'
import { declared, type Handled, handledBy } from './on-delivery.ts'
import type { AnyDelivery } from './options.ts'

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number]

/** A method with `@OnDelivery`. */
interface FoundMethod {
  readonly handled: Handled
  readonly wrapper: Wrapper
  readonly method: string
}

export type Handlers = Readonly<
  Record<string, (delivery: AnyDelivery, context: WebhookContext<object, unknown>) => unknown>
>

/**
 * The methods with `@OnDelivery` that belong to an endpoint, by event. Warns of those whose class was forgotten: their
 * deliveries would be acknowledged without a trace.
 *
 * @throws TypeError for two methods of one event, for a name that no endpoint has, and for one that two have.
 */
export function findHandlers(
  name: string,
  discovery: DiscoveryService,
  resolve: (wrapper: Wrapper, request: object) => unknown,
): Handlers {
  const providers = discovery.getProviders()
  const endpoints = providers.filter(({ token }) => token === tokenOf(name))
  if (endpoints.length > 1) {
    throw new TypeError(
      `There are ${endpoints.length} endpoints named '${name}'. Give each forRoot its own \`name\`.`,
    )
  }
  const forgotten = new Set(declared.filter((use) => use.name === name))
  const titles = new Map<string, string>()
  const handlers: Record<string, Handlers[string]> = Object.create(null)
  for (const found of [...providers, ...discovery.getControllers()].flatMap(methodsOf)) {
    const { handled, wrapper, method } = found
    const { event } = handled
    const title = `${handled.title} (in ${wrapper.host?.name})`
    forgotten.delete(handled)
    if (!providers.some(({ token }) => token === tokenOf(handled.name))) {
      throw new TypeError(
        `The endpoint of ${title} does not exist. Import ${tokenOf(handled.name)}.`,
      )
    }
    if (handled.name !== name) continue
    if (titles.has(event)) {
      throw new TypeError(`${titles.get(event)} and ${title} are both for '${event}'. Keep one.`)
    }
    titles.set(event, title)
    handlers[event] = async (delivery, context) => {
      const instance = Object(await resolve(wrapper, context.request))
      const result = await instance[method](delivery, context)
      // Its work begins when something subscribes, as Nest does with what a route returns.
      return isObservable(result)
        ? await lastValueFrom(result, { defaultValue: undefined })
        : result
    }
  }
  for (const { title } of forgotten) {
    LOGGER.warn(
      `${title} is never called. Add its class to \`providers\`, not as a request-scoped factory.`,
    )
  }
  return handlers
}

/** Warns of an endpoint without a route: whatever responds in its place has verified nothing. */
export function warnWithoutRoute(name: string, discovery: DiscoveryService): void {
  const methods = discovery.getControllers().flatMap(({ metatype }) => {
    const prototype = Object(metatype?.prototype)
    return scanner.getAllMethodNames(prototype).map((method) => Object(prototype[method]))
  })
  if (methods.some((method) => metadataOf(ENDPOINT, method) === name && isRoute(method))) return
  LOGGER.warn(
    `${tokenOf(name)} has no route. Put @WebhookEndpoint(${name === DEFAULT_NAME ? '' : `'${name}'`}) and @Post() on a method of a controller.`,
  )
}

const LOGGER = new Logger('WebhookModule')

const scanner = new MetadataScanner()

/** A factory that is request-scoped has made nothing yet. */
function methodsOf(wrapper: Wrapper): readonly FoundMethod[] {
  const { instance, isAlias } = wrapper
  if (isAlias || instance == null) return []
  const prototype: Record<string, object> = Object.getPrototypeOf(instance)
  return scanner.getAllMethodNames(prototype).flatMap((method) =>
    handledBy(Object(prototype[method])).map((handled) => ({
      handled,
      wrapper,
      method,
    })),
  )
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
