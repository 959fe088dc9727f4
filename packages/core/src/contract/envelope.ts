import { rejection } from '../reject/rejection.ts'
import type { SignableParts } from '../verify/scheme.ts'

/** A delivery body that has the shape of the contract (section 6), with fields of later versions kept. */
export interface Envelope {
  readonly id: string
  readonly event: string
  readonly created_at: string
  /** Set by the receiver; a field of that name is replaced. */
  known?: unknown
  readonly data: {
    readonly instance_id: string
    readonly event: string
    /** What a schema makes of it takes its place. */
    data: unknown
    readonly timestamp: string
  }
}

/** A delivery body as the service sends it (contract, section 6). */
export interface WireDelivery<Event extends string = string> {
  readonly id: string
  readonly event: Event
  readonly created_at: string
  readonly data: {
    readonly instance_id: string
    readonly event: Event
    readonly data: Readonly<Record<string, unknown>>
    readonly timestamp: string
  }
}

type Members = Readonly<Record<string, unknown>>

/**
 * Takes a parsed body for an envelope. `isMade`: a schema has made its content, which may be anything.
 *
 * @throws WebhookError `envelope_invalid` (400), naming the first field that is not as the contract has it.
 */
export function readEnvelope(body: unknown, isMade = false): Envelope {
  const envelope = object(body, 'the body')
  strings(envelope, '', ['id', 'event', 'created_at'])
  const data = object(envelope.data, '"data"')
  strings(data, 'data.', ['instance_id', 'event', 'timestamp'])
  if (!isMade) object(data.data, '"data.data"')
  if (data.event !== envelope.event) {
    throw rejection('envelope_invalid', { field: '"data.event"', expected: 'the same as "event"' })
  }
  // Every field of it was looked at above.
  return envelope as object as Envelope
}

/** The envelope in which the service sends this content. */
export function writeEnvelope<Event extends string>(
  event: Event,
  data: Readonly<Record<string, unknown>>,
  { id, time, instance = 'inst_01' }: Pick<SignableParts, 'id' | 'time' | 'instance'>,
): WireDelivery<Event> {
  const timestamp = new Date(time).toISOString()
  return {
    id,
    event,
    created_at: timestamp,
    data: { instance_id: instance, event, data, timestamp },
  }
}

function object(value: unknown, field: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
  throw rejection('envelope_invalid', { field, expected: 'an object', value })
}

function strings(from: Members, path: string, names: readonly string[]): void {
  for (const name of names) {
    const value = Object.hasOwn(from, name) ? from[name] : undefined
    if (typeof value === 'string' && value !== '') continue
    const field = `"${path}${name}"`
    throw rejection('envelope_invalid', { field, expected: 'a non-empty string', value })
  }
}
