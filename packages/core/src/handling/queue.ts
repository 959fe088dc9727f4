import type { DataOf, Delivery, KnownDelivery, UnknownDelivery } from '../delivery.ts'
import { EVENT_OPTIONS, knownEvents, type ReceiverOptions } from '../options.ts'
import { type Envelope, readEnvelope } from '../parse/envelope.ts'
import type { WebhookEvent } from '../parse/event.ts'
import { parseJson } from '../parse/json.ts'
import type { DeliverySchemas, NoSchemas } from '../parse/schema.ts'
import type { RejectionDetails } from '../reject/details.ts'
import { Refusal } from '../reject/refusal.ts'
import { checkOptions, isRecord } from '../validate/check-options.ts'
import { describeKind } from '../validate/describe.ts'
import { digestOf } from './store-key.ts'

/** The schemas and events of the receiver that accepted the delivery. */
export type StoredDeliveryOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> = Pick<ReceiverOptions<Schemas, ExtraEvent>, 'schemas' | 'extraEvents'>

/** The type of a value after JSON: a Date becomes a string, a Map becomes empty, and a function disappears. */
export type Stored<Value> = unknown extends Value
  ? Value
  : Value extends { toJSON(): infer Written }
    ? Stored<Written>
    : Value extends string | number | boolean | null | undefined
      ? Value
      : Value extends bigint | symbol | ((...args: never) => unknown)
        ? never
        : Value extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
          ? Readonly<Record<never, never>>
          : { [Member in keyof Value]: Stored<Value[Member]> }

/** A delivery that was stored as JSON. You can pass it wherever a `Delivery` is expected, unless a schema made values that JSON does not have. */
export type StoredDelivery<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> =
  | {
      [Event in WebhookEvent | ExtraEvent]: KnownDelivery<Event, Stored<DataOf<Event, Schemas>>>
    }[WebhookEvent | ExtraEvent]
  | UnknownDelivery

/**
 * Checks a delivery that was accepted before and was stored in a queue or a table, and returns it with its type. It takes
 * JSON text, bytes or parsed JSON. `known` is set again, by the events of this process.
 *
 * Schemas only set the types and do not run, because a schema that transforms its input cannot read its own output. No
 * signature is verified: anybody who can write to the queue can write any delivery.
 *
 * @throws TypeError that says what is wrong, without any part of the data.
 *
 * @example
 * await queue.add(delivery.event, delivery)
 * // and in the worker
 * const delivery = parseStoredDelivery(job.data)
 */
export function parseStoredDelivery<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
>(
  json: unknown,
  options: StoredDeliveryOptions<Schemas, ExtraEvent> = {},
): StoredDelivery<Schemas, ExtraEvent> {
  const example = "{ extraEvents: ['message.reacted'] }"
  const { schemas, extraEvents } = checkOptions(options, EVENT_OPTIONS, example)
  const events = knownEvents(schemas, extraEvents)
  try {
    const body = parseJson(bytesOf(json))
    const { data, ...envelope } = readEnvelope(withPlainContent(body, schemas))
    const { event } = envelope
    const content = (body as Envelope).data.data
    const delivery = { ...envelope, data: { ...data, data: content }, known: events.has(event) }
    // The envelope was looked at, and the content is what the schema of its time has made.
    return delivery as object as StoredDelivery<Schemas, ExtraEvent>
  } catch (thrown) {
    if (thrown instanceof Refusal) throw new TypeError(`${NO_DELIVERY}: ${faultOf(thrown)}.`)
    throw thrown
  }
}

/**
 * A job id, deduplication id or idempotency key for a delivery, in a form that most queues accept: at most 109 letters,
 * digits, hyphens and underscores, never a number. It is the same for each copy of a delivery.
 *
 * It is made from the signed `id`. Different ids never get the same result: an id that is longer or has other characters
 * is hashed.
 *
 * @example
 * await queue.add(delivery.event, delivery, { jobId: await jobIdOf(delivery) })
 */
export async function jobIdOf({ id }: Pick<Delivery, 'id'>): Promise<string> {
  return PLAIN.test(id) ? `delivery-${id}` : `sha256-${await digestOf(id)}`
}

const PLAIN = /^[\w-]{1,100}$/

const NO_DELIVERY = 'The stored data is not a delivery'

/** Always by way of text, so that nothing of what the caller holds is shared, and what JSON has not is gone. */
function bytesOf(json: unknown): Uint8Array {
  if (json instanceof Uint8Array) return json
  const text = typeof json === 'string' ? json : writtenAgain(json)
  return new TextEncoder().encode(text)
}

function writtenAgain(value: unknown): string {
  try {
    const text = JSON.stringify(value)
    if (text !== undefined) return text
  } catch (cause) {
    throw new TypeError(`${NO_DELIVERY}: it cannot be written as JSON.`, { cause })
  }
  throw new TypeError(`${NO_DELIVERY}: it is ${describeKind(value)}.`)
}

/** Where a schema made the content, it need not be an object any more. */
function withPlainContent(body: unknown, schemas: DeliverySchemas): unknown {
  if (!isRecord(body) || !isRecord(body.data)) return body
  if (typeof body.event !== 'string' || !Object.hasOwn(schemas, body.event)) return body
  return { ...body, data: { ...body.data, data: {} } }
}

function faultOf({ reason, details }: Refusal): string {
  if (reason === 'envelope_invalid') {
    const { field, wanted, ...found } = details as RejectionDetails['envelope_invalid']
    return `${field} should be ${wanted}${'value' in found ? `, and is ${describeKind(found.value)}` : ''}`
  }
  if (reason === 'body_too_deep')
    return 'it has more nested objects and arrays than a delivery can have'
  return reason === 'body_not_utf8' ? 'it is not UTF-8' : 'it is not JSON'
}
