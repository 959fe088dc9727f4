import type { ContractKind } from './contract/event.ts'
import type { DeliveryFor } from './delivery.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import { responseTo } from './request/response-to.ts'
import { isRequest, receiveRequest, withoutRequest } from './request/web-request.ts'
import { isCallable } from './validate/callable.ts'
import { assertCalled } from './validate/called.ts'
import { toResponse } from './validate/response.ts'
import type { DuplicatesRequired } from './verify/duplicates.ts'
import type { SchemeKind } from './verify/scheme.ts'
import type { SecretSource } from './verify/secret.ts'
import {
  isSubscriptionSecrets,
  type Secrets,
  type SubscriptionSecrets,
} from './verify/subscriptions.ts'
import {
  createWebhookHandling,
  type WebhookContext,
  type WebhookHandlerOptions,
  type WebhookHandlers,
} from './webhook-handling.ts'

/** The second argument of a handler: the Request, and what the function was called with behind it. */
export interface RequestContext<Args extends readonly unknown[], Transaction = undefined>
  extends WebhookContext<Request, Transaction> {
  /** On Workers `env` and `ctx`; on SvelteKit, Astro and Elysia the object that has the Request. */
  readonly args: Args
}

/** A function of a Request, or of an object that has one, such as SvelteKit's event. */
export interface RequestHandler<Args extends readonly unknown[]> {
  (request: Request, ...args: Args): Promise<Response>
  (
    event: Args extends readonly [infer Event extends HasRequest, ...unknown[]]
      ? Event
      : HasRequest,
    ...rest: readonly unknown[]
  ): Promise<Response>
}

interface HasRequest {
  readonly request: Request
}

/**
 * Creates a handler for runtimes with a web-standard Request. It verifies each request, runs the handler for the event (once
 * for each delivery, if there is a `store`) and responds: 204 when the work is done, 500 if a handler throws, 503 if the delivery
 * cannot be handled now.
 *
 * A secret function gets the Request and what follows it: `(request, env) => env.WEBHOOK_SECRET`.
 *
 * @throws TypeError for an invalid secret, handler or option.
 *
 * @example
 * export const POST = webhookHandler(process.env.WEBHOOK_SECRET, {
 *   'message.received': async (delivery) => { … },
 * }, { store })
 */
export function webhookHandler<
  Args extends readonly unknown[] = readonly unknown[],
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
>(
  secret:
    | Secrets
    | ((request: Request, ...args: Args) => Secrets | Promise<Secrets>)
    | SubscriptionSecrets<Request, Args>,
  handlers: WebhookHandlers<
    NoInfer<Schemas>,
    NoInfer<ExtraEvent>,
    RequestContext<NoInfer<Args>, NoInfer<Transaction>>,
    NoInfer<Kind>
  >,
  options?: WebhookHandlerOptions<Schemas, ExtraEvent, Transaction, Request, Kind> &
    DuplicatesRequired<NoInfer<Kind>>,
): RequestHandler<Args> {
  assertCalled('webhookHandler(secret, handlers)', secret)
  const { receiver, handle } = createWebhookHandling<
    Given<Args>,
    DeliveryFor<Kind, Schemas, ExtraEvent>
  >(sourceOf(secret), handlers, forRequests(options), { url: (request: Request) => request.url })

  async function respond(given: Given<Args>): Promise<Response> {
    try {
      const received = await receiveRequest(receiver, given.request, given)
      return toResponse(await handle(received, given))
    } catch (error) {
      const response = responseTo(error)
      if (response) return toResponse(response)
      throw error
    }
  }

  // Not async: what is no Request throws, in frameworks that do not look at a promise too.
  return function webhookHandler(given: Request | HasRequest, ...rest: readonly unknown[]) {
    if (isRequest(given)) return respond({ request: given, args: rest as never })
    if (isRequest(given?.request)) {
      return respond({ request: given.request, args: [given, ...rest] as never })
    }
    throw withoutRequest('webhookHandler')
  } as RequestHandler<Args>
}

/** What a receiver hands to the functions of the application. */
interface Given<Args> {
  readonly request: Request
  readonly args: Args
}

/** The secret, with functions of the Request as functions of that. */
function sourceOf<Args extends readonly unknown[]>(
  secret: Parameters<typeof webhookHandler<Args>>[0],
): SecretSource<Given<Args>> {
  if (isCallable(secret)) return ({ request, args }) => secret(request, ...args)
  if (!isSubscriptionSecrets<Request, Args>(secret)) return secret
  return {
    secretsOf: (id, { request, args }) => secret.secretsOf(id, request, ...args),
    pending: ({ request, args }) => secret.pending?.(request, ...args) ?? [],
  }
}

/** The options, with functions of the Request as functions of what this handler is called with. */
function forRequests<Options extends OfRequest>(options: Options | undefined): Options | undefined {
  const { publicUrl, endpoint } = options ?? {}
  const changed: Record<string, unknown> = {}
  for (const [name, option] of Object.entries({ publicUrl, endpoint })) {
    // The options promise the function a Request.
    if (isCallable(option)) changed[name] = ({ request }: HasRequest) => option(request as never)
  }
  return Object.keys(changed).length > 0 ? Object.assign({}, options, changed) : options
}

interface OfRequest {
  readonly publicUrl?: unknown
  readonly endpoint?: unknown
}
