/**
 * Looks for a middleware that was mounted without being called. The framework then passes its request or context
 * where a secret or the handlers belong.
 *
 * @param call What the application should have written, such as `webhookMiddleware(secret)`.
 * @throws TypeError that says so.
 */
export function assertCalled(call: string, argument: unknown): undefined {
  const candidates = [argument, propertyOf(argument, 'req'), propertyOf(argument, 'request')]
  if (!candidates.some(isRequest)) return
  const name = call.replace(/\(.*/s, '')
  throw new TypeError(`${name} was mounted without being called: write ${call}, not ${name}.`)
}

/** A request of Node, Fastify or Hono, a web-standard one, or a Koa context. Named secrets, which are a plain object, never are. */
function isRequest(value: unknown): boolean {
  return (
    typeof propertyOf(value, 'method') === 'string' &&
    typeof propertyOf(value, 'url') === 'string' &&
    Object.getPrototypeOf(value) !== Object.prototype
  )
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
