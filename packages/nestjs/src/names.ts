import { isCallable } from '@webhook-receiver/core/adapter'

/** Where `@WebhookEndpoint` keeps the name of its endpoint, on the method. */
export const ENDPOINT = '@webhook-receiver/nestjs.endpoint'

/** Where `@OnDelivery` keeps what its method handles. */
export const ON_DELIVERY = '@webhook-receiver/nestjs.onDelivery'

export const DEFAULT_NAME = 'default'

/** The token of an endpoint. Nest prints it when it finds no provider for it, so it is what is missing. */
export function tokenOf(name: string): string {
  const named = name === DEFAULT_NAME ? '' : `name: '${name}', `
  return `WebhookModule.forRoot({ ${named}secret })`
}

/** The token of the endpoint in its own module: what Nest prints where the module is imported without `forRoot`. */
export const OWN_ENDPOINT = 'WebhookModule.forRoot(), not WebhookModule'

/** What a decorator has kept on a method, or on the function that Nest makes of it for the router. */
export function metadataOf<Value>(key: string, method: object): Value | undefined {
  return Reflect.getMetadata(key, method)
}

/** Whether a function is what Nest has made of a method with `@WebhookEndpoint`. */
export function isEndpoint(handler: object): boolean {
  return metadataOf(ENDPOINT, handler) !== undefined
}

/** Whether a function is what Nest has made of any route, by what `@Get` and the others keep there. */
export function isRoute(handler: object): boolean {
  return metadataOf('method', handler) !== undefined
}

/** @throws TypeError where a decorator, which no compiler checks in JavaScript, does not get a method, or comes from another kind of decorators. */
export function checkMethod(decorator: string, descriptor: object | undefined): void {
  const { value } = Object(descriptor)
  if (isCallable(value)) return
  throw new TypeError(
    `${decorator} should be on a method of a class, ${
      typeof value === 'function'
        ? 'without `*`: calling a generator function runs none of its code.'
        : 'compiled with `experimentalDecorators` as NestJS needs it.'
    }`,
  )
}
