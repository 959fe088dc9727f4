import type { Arguments, FormAdapter } from './adapter-form.ts'
import type { ContractKind } from './contract/event.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import { assertCalled } from './validate/called.ts'
import type { OwnRules } from './validate/check-options.ts'
import type { DuplicatesRequired } from './verify/duplicates.ts'
import type { SchemeKind } from './verify/scheme.ts'
import type { SecretSource } from './verify/secret.ts'
import {
  createWebhookHandling,
  type WebhookContext,
  type WebhookHandlerOptions,
  type WebhookHandlers,
  type WebhookHandling,
} from './webhook-handling.ts'

/** The type of a `webhookHandler`. `Handler` is what the framework takes for a route, and `Own` are the options of the adapter. */
export type WebhookHandlerFor<Request, Handler, Own = object> = <
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
>(
  secret: SecretSource<Request>,
  handlers: WebhookHandlers<
    NoInfer<Schemas>,
    NoInfer<ExtraEvent>,
    WebhookContext<Request, NoInfer<Transaction>>,
    NoInfer<Kind>
  >,
  ...options: Arguments<
    Own,
    WebhookHandlerOptions<Schemas, ExtraEvent, Transaction, Request, Kind> &
      Own &
      DuplicatesRequired<NoInfer<Kind>>
  >
) => Handler

/** The type of a `webhookHandler` where a secret function names the type of the requests. */
export type TypedWebhookHandlerFor<Form extends HandlerForm, Own = object> = <
  Request extends Form['request'] = Form['request'],
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
>(
  secret: SecretSource<Request>,
  handlers: WebhookHandlers<
    NoInfer<Schemas>,
    NoInfer<ExtraEvent>,
    WebhookContext<NoInfer<Request>, NoInfer<Transaction>> & Form['context'],
    NoInfer<Kind>
  >,
  ...options: Arguments<
    Own,
    WebhookHandlerOptions<Schemas, ExtraEvent, Transaction, NoInfer<Request>, Kind> &
      Own &
      DuplicatesRequired<NoInfer<Kind>>
  >
) => (Form & { readonly request: Request })['handler']

/** What a framework takes for a route: `handler`, by the type of its request, which is `this['request']` in an interface that extends this. */
export interface HandlerForm {
  readonly request: unknown
  /** What the handlers of deliveries get besides. */
  readonly context: unknown
  readonly handler: unknown
}

/**
 * Creates the `webhookHandler` of an adapter.
 *
 * @param rules The rule of each option that only this adapter has.
 * @param translate Returns what the framework takes for a route. Called once for each `webhookHandler` of an application.
 */
export function webhookHandlerOf<Request, Handler, Own = object>(
  {
    url,
    report,
    call = 'webhookHandler(secret, handlers)',
    uncalled = assertCalled,
  }: FormAdapter<Request, Handler, Own>,
  rules: OwnRules<Own>,
  translate: (handling: WebhookHandling<unknown, Request>, own: Own) => Handler,
): WebhookHandlerFor<Request, Handler, Own> {
  function webhookHandler(secret: SecretSource<Request>, handlers: unknown, options: Own): Handler {
    const instead = uncalled(call, secret)
    if (instead) return instead
    const handling = createWebhookHandling<Request, unknown, Own>(secret, handlers, options, {
      url,
      report,
      rules,
    })
    return translate(handling, handling.own)
  }
  // The type has the generics, on which nothing here depends.
  return webhookHandler as never
}

/** Makes `webhookHandler` where a secret function names the type of the requests: the application hands over no others. */
export const typedWebhookHandlerOf: <Form extends HandlerForm, Own = object>(
  ...args: Parameters<typeof webhookHandlerOf<Form['request'], Form['handler'], Own>>
) => TypedWebhookHandlerFor<Form, Own> = webhookHandlerOf as never
