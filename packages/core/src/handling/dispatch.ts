import type { DataOf, Delivery, KnownDelivery, UnknownDelivery } from '../delivery.ts'
import type { WebhookEvent } from '../parse/event.ts'
import type { DeliverySchemas, NoSchemas } from '../parse/schema.ts'
import { isRecord } from '../validate/check-options.ts'
import { describeValue } from '../validate/describe.ts'

/** The second argument of a handler. */
export interface HandlerContext<Transaction = undefined> {
  /**
   * Aborted when the claim is lost. Another process may then handle the same delivery, so stop and throw an error.
   * Effects after that can happen twice.
   */
  readonly signal: AbortSignal
  /** The transaction in which the delivery is marked as done; `undefined` unless the store is transactional. */
  readonly transaction: Transaction
}

/** Handles a delivery. A returned promise is awaited. If the function throws, the answer is 500. */
export type DeliveryWork<Handled, Transaction = undefined> = (
  delivery: Handled,
  context: HandlerContext<Transaction>,
) => unknown

/** Handlers by event. A delivery without a handler is acknowledged and forgotten. */
export type DeliveryHandlers<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Transaction = undefined,
> = {
  readonly [Event in WebhookEvent | ExtraEvent]?: Event extends 'unknown' | 'any'
    ? // While ExtraEvent is being inferred, the compiler asks here for every key: these two are not ours to say.
      unknown
    : DeliveryWork<KnownDelivery<Event, DataOf<Event, Schemas>>, Transaction> | undefined
} & {
  /** Handles events that this receiver does not know. */
  readonly unknown?: DeliveryWork<UnknownDelivery, Transaction> | undefined
  /** Handles every event without a handler of its own, including unknown ones. */
  readonly any?: DeliveryWork<Delivery<Schemas, ExtraEvent>, Transaction> | undefined
}

/** Any handler: that it gets deliveries of its own event only is what the table is for. */
type Work = (delivery: unknown, context: HandlerContext<unknown>) => unknown

/**
 * The handler of each delivery, or `undefined` where there is none.
 *
 * @throws TypeError for a key that is not an event, and for a handler that is not a function.
 */
export function createHandlerLookup(
  handlers: unknown,
  events: ReadonlySet<string>,
): (delivery: { readonly known: boolean; readonly event: string }) => Work | undefined {
  const table = checkHandlers(handlers, events)
  const fallback = table.get('any')
  const unknown = table.get('unknown') ?? fallback
  return ({ known, event }) => {
    if (known) return table.get(event) ?? fallback
    if (events.has(event)) {
      throw new TypeError(
        `There is a handler for ${JSON.stringify(event)}, but the receiver does not know this event. Add it to the \`extraEvents\` of the receiver too.`,
      )
    }
    return unknown
  }
}

function checkHandlers(handlers: unknown, events: ReadonlySet<string>): ReadonlyMap<string, Work> {
  const table = new Map<string, Work>()
  if (!isRecord(handlers)) {
    throw new TypeError(
      `The handlers should be an object of functions by event, such as { 'message.received': async (delivery) => { … } }; got ${describeValue(handlers)}.`,
    )
  }
  for (const [event, work] of Object.entries(handlers)) {
    if (!events.has(event) && !FALLBACKS.includes(event)) {
      throw new TypeError(
        `There is a handler for ${JSON.stringify(event)}, which is not an event. The events are: ${[...events, ...FALLBACKS].join(', ')}. Add a newer one to \`extraEvents\`.`,
      )
    }
    if (work === undefined) continue
    if (!isWork(work)) {
      throw new TypeError(
        `The handler for ${JSON.stringify(event)} should be a function, such as async (delivery) => { … }; got ${describeValue(work)}.`,
      )
    }
    table.set(event, work)
  }
  if (table.size > 0) return table
  throw new TypeError(
    'There is no handler, so every delivery would be acknowledged and forgotten. Add a handler for an event, or `any`.',
  )
}

/** The keys of handlers that are not events. */
export const FALLBACKS: readonly string[] = ['unknown', 'any']

function isWork(value: unknown): value is Work {
  return typeof value === 'function'
}
