import type { DataOf, KnownDelivery, UnknownDelivery } from '../contract/delivery.ts'
import type { ContractKind, WebhookEvent } from '../contract/event.ts'
import type { DeliveryFor } from '../delivery.ts'
import { ENDPOINT, RECEIVING, SHARED } from '../option-rules.ts'
import type { ReceiverOptions } from '../options.ts'
import { parseJson } from '../parse/json.ts'
import type { DeliverySchemas, NoSchemas } from '../parse/schema.ts'
import { isWebhookError } from '../reject/webhook-error.ts'
import { knownEvents } from '../settings.ts'
import { checkOptions } from '../validate/check-options.ts'
import { describeKind } from '../validate/describe.ts'
import { isBytes } from '../validate/plain.ts'
import { isRecord } from '../validate/record.ts'
import { listOf } from '../validate/rule.ts'
import { isIdSigned } from '../verify/duplicates.ts'
import { isDelivery, type Scheme, type SchemeKind, type WholeOr } from '../verify/scheme.ts'

/** The schemas and events of the receiver that accepted the delivery. */
export type StoredDeliveryOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
> = Pick<ReceiverOptions<Schemas, ExtraEvent, Kind>, 'scheme' | 'schemas' | 'extraEvents'>

/** The type of a value after JSON: a Date becomes a string, a Map becomes empty, and a function disappears. */
type Stored<Value> = unknown extends Value
  ? Value
  : Value extends { toJSON(): infer Written }
    ? Stored<Written>
    : Value extends string | number | boolean | null | undefined
      ? Value
      : Value extends bigint | symbol | ((...args: never) => unknown)
        ? never
        : Value extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
          ? Readonly<Record<never, never>>
          : { [Property in keyof Value]: Stored<Value[Property]> }

/** A delivery that was stored as JSON. You can pass it wherever a `Delivery` is expected, unless a schema made values that JSON does not have. */
export type StoredDelivery<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> =
  | {
      [Event in WebhookEvent | ExtraEvent]: KnownDelivery<Event, Stored<DataOf<Event, Schemas>>>
    }[WebhookEvent | ExtraEvent]
  | UnknownDelivery

/** What was stored by a handler of this kind of scheme. */
export type StoredFor<
  Kind extends SchemeKind,
  Schemas extends DeliverySchemas,
  ExtraEvent extends string,
> = WholeOr<
  Kind,
  StoredDelivery<Schemas, ExtraEvent>,
  Stored<DeliveryFor<Kind, Schemas, ExtraEvent>>
>

/** The schemes of the receivers whose deliveries share a queue. */
export interface StoredAmongOptions<Schemes extends readonly Scheme[]> {
  /** Those of other services than the default format. Which one it is, the `scheme` of the data says. */
  readonly schemes: Schemes
}

/** What was stored by a handler of one of these schemes, or of the default format. */
export type StoredAmong<Given> =
  | StoredDelivery
  | (Given extends Scheme<unknown, infer Kind extends SchemeKind>
      ? StoredFor<Kind, NoSchemas, never>
      : never)

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
 * const delivery = parseStoredDelivery(job.data, { schemes: [stripe, github] })
 */
export function parseStoredDelivery<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
>(
  json: unknown,
  options?: StoredDeliveryOptions<Schemas, ExtraEvent, Kind>,
): StoredFor<Kind, Schemas, ExtraEvent>
export function parseStoredDelivery<const Schemes extends readonly Scheme[]>(
  json: unknown,
  options: StoredAmongOptions<Schemes>,
): StoredAmong<Schemes[number]>
export function parseStoredDelivery(json: unknown, options: object = {}): unknown {
  const example = "{ extraEvents: ['message.reacted'] }"
  const { schemes, schemas, extraEvents, ...given } = checkOptions(options, OPTIONS, example)
  let named: unknown
  try {
    const body = parseJson(bytesOf(json), MAX_DEPTH)
    const { event, scheme: name } = isRecord(body) ? body : {}
    named = name
    const scheme = schemes.find((one) => one.name === name) ?? given.scheme
    const events = knownEvents(scheme, schemas, extraEvents)
    const isMade = typeof event === 'string' && Object.hasOwn(schemas, event)
    return scheme.restore?.(body, events, isMade) ?? restore(body, scheme, isMade)
  } catch (thrown) {
    if (!isWebhookError(thrown)) throw thrown
    const fault = thrown.detail.replace(/^The signature is valid, but |\.(?: .*)?$/gs, '')
    const advice = ENDPOINT.is(named) ? ` Its scheme is '${named}': pass it in \`schemes\`.` : ''
    throw new TypeError(`${NO_DELIVERY}: ${fault}.${advice}`)
  }
}

const OPTIONS = storedOptions()

/* @__NO_SIDE_EFFECTS__ */
function storedOptions() {
  const { scheme, extraEvents } = SHARED
  const schemes = listOf('an array of schemes, such as [stripe, github]', scheme[0])
  return { scheme, extraEvents, schemas: RECEIVING.schemas, schemes: [schemes, []] } as const
}

function restore(body: unknown, scheme: Scheme, isMade: boolean): object {
  const { name, hasEvent } = scheme
  const stored = isRecord(body) ? body : {}
  const isWhole =
    isDelivery(scheme, stored) &&
    (typeof stored.id === 'string' ||
      (stored.id === undefined && (scheme.idIsOptional || !isIdSigned(scheme)))) &&
    (!hasEvent || typeof stored.event === 'string') &&
    // JSON leaves out what a schema has made to be undefined.
    (isMade || 'data' in stored)
  if (isWhole) return stored
  throw new TypeError(`${NO_DELIVERY} of ${name}: it needs the properties of one.`)
}

/** More than a body may have: a delivery stands around one, and a schema may have made more of it. */
const MAX_DEPTH = 512

const NO_DELIVERY = 'The stored data is not a delivery'

/** Always by way of text, so that nothing of what the caller holds is shared, and what JSON has not is gone. */
function bytesOf(json: unknown): Uint8Array {
  if (isBytes(json)) return json
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
