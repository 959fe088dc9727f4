import type { EnvelopeFault } from '../reject/reasons.ts'
import { rejection } from '../reject/rejection.ts'
import { isRecord } from '../validate/record.ts'
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

/**
 * Takes a parsed body for an envelope. `isMade`: a schema has made its content, which may be anything.
 *
 * @throws WebhookError `envelope_invalid` (400), naming the first field that is not as the contract has it, and the others.
 */
export function readEnvelope(body: unknown, isMade = false): Envelope {
  const faults: EnvelopeFault[] = []
  const envelope = objectIn(body, 'the body', faults)
  checkTexts(envelope, '', OUTER, faults)
  const data = envelope && objectIn(envelope.data, '"data"', faults)
  checkTexts(data, 'data.', INNER, faults)
  if (data && !isMade) objectIn(data.data, '"data.data"', faults)
  if (faults.length === 0) {
    // Every field of it was looked at above.
    if (data?.event === envelope?.event) return envelope as object as Envelope
    faults.push({ field: '"data.event"', expected: 'the same as "event"' })
  }
  const [fault, ...others] = faults
  throw rejection('envelope_invalid', {
    ...(fault as EnvelopeFault),
    others: others.map(({ field }) => field),
  })
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

type Members = Readonly<Record<string, unknown>>

function objectIn(value: unknown, field: string, faults: EnvelopeFault[]): Members | undefined {
  if (isRecord(value)) return value
  faults.push({ field, expected: 'an object', value })
  return undefined
}

function checkTexts(
  from: Members | undefined,
  path: string,
  names: readonly string[],
  faults: EnvelopeFault[],
): void {
  if (!from) return
  for (const name of names) {
    const value = Object.hasOwn(from, name) ? from[name] : undefined
    if (typeof value === 'string' && value !== '') continue
    faults.push({ field: `"${path}${name}"`, expected: 'a non-empty string', value })
  }
}

const OUTER = ['id', 'event', 'created_at']
const INNER = ['instance_id', 'event', 'timestamp']
