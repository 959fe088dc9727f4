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
  strings(envelope, envelope, '', OUTER)
  const data = object(envelope.data, '"data"')
  strings(envelope, data, 'data.', INNER)
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
  if (isMembers(value)) return value
  throw rejection('envelope_invalid', { field, expected: 'an object', value })
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** With all that is wrong at once, for whoever writes a sender. */
function strings(envelope: Members, from: Members, path: string, names: readonly string[]): void {
  for (const name of names) {
    const value = ownOf(from, name)
    if (isText(value)) continue
    const field = `"${path}${name}"`
    const others = faults(envelope).filter((other) => other !== field)
    throw rejection('envelope_invalid', { field, expected: 'a non-empty string', value, others })
  }
}

function ownOf(from: Members, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** The fields that are missing or have a wrong value. */
function faults(envelope: Members): readonly string[] {
  const wrong = (from: Members, names: readonly string[], path = '') =>
    names.filter((name) => !isText(ownOf(from, name))).map((name) => `"${path}${name}"`)
  const { data } = envelope
  const outer = wrong(envelope, OUTER)
  if (!isMembers(data)) return [...outer, '"data"']
  const content = isMembers(data.data) ? [] : ['"data.data"']
  return [...outer, ...wrong(data, INNER, 'data.'), ...content]
}

const OUTER = ['id', 'event', 'created_at']
const INNER = ['instance_id', 'event', 'timestamp']
