import type { WebhookEvent } from '../contract/event.ts'
import { type DeliverOptions, prepareDelivery } from './prepare.ts'

/** The options of `deliverTo` of every adapter, and the bindings. */
export interface RequestDeliverOptions<Bindings extends object = object> extends DeliverOptions {
  /**
   * The secret to sign with.
   * @default env.WEBHOOK_SECRET, else process.env.WEBHOOK_SECRET
   */
  readonly secret?: string | undefined
  /** The second argument of the application: the bindings of a Worker, or the context of a route. */
  readonly env?: Partial<Bindings> | undefined
}

/** An application with a `fetch`, such as a Worker. By the form of a method, its request may be that of its runtime. */
interface Fetching<Bindings> {
  // biome-ignore lint/complexity/noBannedTypes: Hono's own type has it, and the bindings are inferred from that.
  fetch(request: Request, env?: Bindings | {}, ...more: never[]): Response | Promise<Response>
}

/**
 * Signs a delivery, passes it to a handler as a Request, and resolves to the response. The handler is what `webhookHandler` has returned, a
 * route of Next.js, or an object with `fetch`, such as a Worker. Behind the request it gets `env` and a context, for whose `waitUntil`
 * `deliverTo` waits.
 *
 * @throws TypeError for an invalid argument, or if there is no secret.
 *
 * @example
 * const response = await deliverTo(POST, 'message.received', { text: 'hello' })
 */
export async function deliverTo<Bindings extends object>(
  app: Fetching<Bindings> | Fetching<Bindings>['fetch'],
  event: WebhookEvent | (string & {}),
  data?: Readonly<Record<string, unknown>>,
  { env, ...options }: RequestDeliverOptions<NoInfer<Bindings>> = {},
): Promise<Response> {
  if (typeof app !== 'function' && typeof Object(app).fetch !== 'function') {
    throw new TypeError(
      'The first argument should be what takes the Request: a handler, or an object with `fetch`. On other frameworks, import deliverTo from their package.',
    )
  }
  const { secret = secretIn(env) } = options
  const request = await signedRequest(event, data, { ...options, secret })
  const waiting: Promise<unknown>[] = []
  const execution = {
    waitUntil: (promise: Promise<unknown>) => void waiting.push(promise),
    passThroughOnException() {},
    props: {},
  }
  const fetching = typeof app === 'function' ? { fetch: app } : app
  // As much of it as the runtimes have in common.
  const response = await fetching.fetch(request, env ?? {}, execution as never)
  await Promise.allSettled(waiting)
  return response
}

/**
 * Signs a delivery as `deliverTo` does, and returns the Request, such as for `receiveRequest`.
 *
 * @throws TypeError for an invalid argument, or if there is no secret.
 *
 * @example
 * await receiver.receiveRequest(await signedRequest('message.read', {}, { secret }))
 */
export async function signedRequest(
  event: WebhookEvent | (string & {}),
  data?: Readonly<Record<string, unknown>>,
  options: DeliverOptions = {},
): Promise<Request> {
  const { path, headers, body } = await prepareDelivery(event, data, options)
  const url = new URL(path, options.publicUrl ?? 'http://localhost')
  return new Request(url, { method: 'POST', headers, body })
}

function secretIn(env: object = {}): string | undefined {
  const secret: unknown = Reflect.get(env, 'WEBHOOK_SECRET')
  return typeof secret === 'string' ? secret : undefined
}
