import type { ContractKind } from './contract/event.ts'
import type { DeliveryFor } from './delivery.ts'
import { deliveryHandlerWith, type HandleDelivery } from './delivery-handling.ts'
import { deliveryKeyOf } from './handling/delivery-key.ts'
import type { DeliveryWork, HandlerContext, HandlersFor } from './handling/handlers.ts'
import type { HandlingOptions } from './handling/options.ts'
import { type ResolvedHandlingOptions, resolveHandlingOptions } from './handling/settings.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import { quoted } from './reject/log-line.ts'
import { requireAttached } from './request/attached.ts'
import { assertCalled } from './validate/called.ts'
import type { DuplicatesRequired } from './verify/duplicates.ts'
import { isDelivery, type ParsedDelivery, type SchemeKind } from './verify/scheme.ts'

/**
 * Returns the function that a worker of a queue calls for each delivery; `webhookHandler` uses it too. It finds the handler
 * for the event and runs it; with a store, it runs it once for each `verification.endpoint` and `verification.key`. Without these, they are
 * the option `endpoint` and the `id`, if that is signed.
 *
 * The function rejects with the handler's own error, or with a WebhookError (503): `delivery_in_progress`,
 * `store_unavailable`, `lease_lost`, `handler_timeout`, `handler_abandoned`.
 *
 * @throws TypeError for an invalid handler or option.
 *
 * @example
 * const handle = createDeliveryHandler(
 *   { 'message.received': async (delivery) => { … } },
 *   { store: memoryStore() },
 * )
 * await handle(delivery, { endpoint, key })
 */
export function createDeliveryHandler<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
>(
  handlers:
    | HandlersFor<
        NoInfer<Kind>,
        NoInfer<Schemas>,
        NoInfer<ExtraEvent>,
        HandlerContext<NoInfer<Transaction>>
      >
    | DeliveryWork<
        DeliveryFor<NoInfer<Kind>, NoInfer<Schemas>, NoInfer<ExtraEvent>>,
        HandlerContext<NoInfer<Transaction>>
      >,
  options?: HandlingOptions<ExtraEvent, Transaction, Kind> & DuplicatesRequired<NoInfer<Kind>>,
): HandleDelivery<DeliveryFor<Kind, Schemas, ExtraEvent>> {
  assertCalled('createDeliveryHandler({ … })', handlers)
  return deliveryHandlerWith(handlers, resolveHandlingOptions(options), {
    deliveryOf,
    keyOf: deliveryKeyOf,
    done: (outcome) => outcome,
    failed: (error) => Promise.reject(error),
  })
}

/** Requires a delivery of a receiver with the same events, and says what to pass where something else came. */
function deliveryOf(
  given: unknown,
  { scheme, events }: Pick<ResolvedHandlingOptions, 'scheme' | 'events'>,
): ParsedDelivery {
  const value = Object(given)
  if (isDelivery(scheme, value)) {
    const { known, event } = value
    if (known !== false || !events.has(event)) return value
    throw new TypeError(
      `There is a handler for ${JSON.stringify(event)}, which the receiver does not know: add it to its \`extraEvents\`.`,
    )
  }
  const { scheme: other } = value
  const advice =
    typeof other === 'string' && other !== scheme.name
      ? `It is a delivery of the scheme ${quoted(other)}: pass this \`scheme\` to the delivery handler too.`
      : ADVICE
  return requireAttached(undefined, { advice })
}

const ADVICE =
  'The delivery handler was called with something else, so nothing was verified. Give it the `delivery` of a receiver: ' +
  'const { delivery } = await receiver.receiveRequest(request).'
