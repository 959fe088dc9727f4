import type { FormAdapter } from './adapter-form.ts'
import type { ContractKind } from './contract/event.ts'
import type { DeliveryFor } from './delivery.ts'
import { RECEIVER_EXAMPLE, RECEIVER_HINT, RECEIVER_OPTIONS } from './option-rules.ts'
import type { ReceiverOptions } from './options.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import { type AdapterReceiver, receiverWith } from './receiver.ts'
import { receiverSettings } from './settings.ts'
import { assertCalled } from './validate/called.ts'
import { checkFormOptions, type OwnRules } from './validate/check-options.ts'
import type { SchemeKind } from './verify/scheme.ts'
import type { SecretSource } from './verify/secret.ts'

/** The type of a `webhookMiddleware`. */
export type WebhookMiddlewareFor<Request, Form extends MiddlewareForm, Own = object> = <
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
>(
  secret: SecretSource<Request>,
  options?: ReceiverOptions<Schemas, ExtraEvent, Kind, Request> & Own,
) => (Form & { readonly delivery: DeliveryFor<Kind, Schemas, ExtraEvent> })['middleware']

/** What a framework takes for a middleware, by the type of the delivery, which is `this['delivery']` in an interface that extends this. */
export interface MiddlewareForm {
  readonly delivery: unknown
  readonly middleware: unknown
}

/**
 * Creates the `webhookMiddleware` of an adapter.
 *
 * @param rules The rule of each option that only this adapter has.
 * @param translate Returns what the framework takes for a middleware. Called once for each `webhookMiddleware` of an application.
 */
export function webhookMiddlewareOf<Request, Form extends MiddlewareForm, Own = object>(
  {
    call = 'webhookMiddleware(secret)',
    uncalled = assertCalled,
  }: FormAdapter<Request, Form['middleware'], Own>,
  rules: OwnRules<Own>,
  translate: (receiver: AdapterReceiver<unknown, Request>, own: Own) => Form['middleware'],
): WebhookMiddlewareFor<Request, Form, Own> {
  return function webhookMiddleware(secret, options: unknown = {}) {
    const instead = uncalled(call, secret)
    if (instead) return instead
    const [checked, own] = checkFormOptions(
      options,
      RECEIVER_OPTIONS,
      rules,
      RECEIVER_EXAMPLE,
      RECEIVER_HINT,
    )
    return translate(receiverWith(secret, receiverSettings(checked)), own)
  }
}
