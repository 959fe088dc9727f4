import type { Header, ReceivedResponse, Tampering } from '@webhook-receiver/emulator/internal'
import type { Verdict } from './verification.ts'

/** A request as it is, or was, on the wire. */
export interface WireRequest {
  readonly method: string
  /** The path with its query. */
  readonly target: string
  readonly httpVersion: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array
}

/** What came back. */
export type Response = Omit<ReceivedResponse, 'sent'>

/** What was done to a request after its signature, or instead of it; the code of a mistake, if its sender made one. */
export type Change = Tampering | 'edited'

/** One request and its response. */
export interface Attempt {
  readonly number: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** What is special about this request, such as its fault. */
  readonly note: string | undefined
  readonly change: Change | undefined
  readonly head: Packed<Omit<WireRequest, 'body'>>
  readonly body: Uint8Array
  /** `undefined` while it is under way. */
  response: Packed<Response> | undefined
  /** `undefined` where there is no secret to verify with. */
  verdict: Verdict | undefined
  /** Why it was rejected, in a few words, if more is known than the reason. */
  cause?: string | undefined
}

export interface Delivery {
  /** Its number in the journal, from 1. */
  readonly n: number
  /** Who sent it: the emulated service, somebody at the page, or another program, now or when it was saved. */
  readonly origin: 'service' | 'page' | 'received'
  readonly at: number
  readonly event: string
  readonly id: string
  /** The id of the target. */
  readonly target: string
  /** What is special about it, such as the fault of the service. */
  readonly note: string | undefined
  /** How it ended; `pending` until then. */
  outcome: 'pending' | 'delivered' | 'rejected' | 'exhausted' | 'stopped'
  /** When the service retries: milliseconds since the epoch. */
  retryAt: number | undefined
  readonly attempts: Attempt[]
  /** Rises with every change, and is different for all deliveries. */
  version: number
  /** What it takes, in bytes. */
  size: number
}

export interface JournalCounts {
  /** All that were ever added. */
  readonly total: number
  /** The oldest that is left. */
  readonly first: number
  /** How many went because there was no room. */
  readonly dropped: number
  /** What everything that is kept takes, in bytes. */
  readonly bytes: number
}

/** What somebody did to a request before it was sent. */
export interface AboutAttempt {
  readonly note?: string | undefined
  readonly change?: Change | undefined
}

/** Deliveries in bounded memory: the oldest go first, and the newest stays in any case. */
export interface Journal {
  add(
    delivery: Omit<Delivery, 'n' | 'attempts' | 'version' | 'outcome' | 'size' | 'retryAt'>,
  ): Delivery
  addAttempt(delivery: Delivery, request: WireRequest, at: number, about?: AboutAttempt): Attempt
  /** Records that something of a delivery is different now. */
  changed(delivery: Delivery): void
  get(n: number): Delivery | undefined
  /** What has changed after a version, the oldest change first; at most `count` deliveries. */
  changesAfter(version: number, count: number): readonly Delivery[]
  counts(): JournalCounts
  clear(): void
}

/** What a delivery or an attempt takes besides what can be measured, in bytes. */
const OVERHEAD = 512

/** `maxBytes` bounds everything that is kept. `onChange` is called after each change, often many times in a row. */
export function createJournal(
  { history, maxBytes }: { readonly history: number; readonly maxBytes: number },
  onChange: () => void,
): Journal {
  const deliveries = new Map<number, Delivery>()
  // A Map keeps the order in which its keys were set: here that of the changes.
  const byVersion = new Map<number, Delivery>()
  let version = 0
  let total = 0
  let bytes = 0
  let dropped = 0

  function changed(delivery: Delivery): void {
    if (!deliveries.has(delivery.n)) return
    byVersion.delete(delivery.version)
    version += 1
    delivery.version = version
    byVersion.set(version, delivery)
    bytes -= delivery.size
    delivery.size = sizeOf(delivery)
    bytes += delivery.size
    for (const { n, version, size } of deliveries.values()) {
      if ((deliveries.size <= history && bytes <= maxBytes) || n === total) break
      deliveries.delete(n)
      byVersion.delete(version)
      bytes -= size
      dropped += 1
    }
    onChange()
  }

  return {
    add(delivery) {
      total += 1
      const open = { outcome: 'pending', retryAt: undefined } as const
      const added: Delivery = { ...delivery, n: total, ...open, attempts: [], version: 0, size: 0 }
      deliveries.set(total, added)
      changed(added)
      return added
    },
    addAttempt(delivery, { body, ...head }, at, { note, change } = {}) {
      const before = delivery.attempts.at(-1)
      // A copy: Node hands over parts of larger buffers, which a view would keep alive.
      const kept = unlessEqual(before?.body, new Uint8Array(body))
      const attempt: Attempt = {
        number: delivery.attempts.length + 1,
        at,
        note,
        change,
        head: unlessEqual(before?.head, pack(head)),
        body: kept,
        response: undefined,
        verdict: undefined,
      }
      delivery.attempts.push(attempt)
      delivery.retryAt = undefined
      changed(delivery)
      return attempt
    },
    changed,
    get: (n) => deliveries.get(n),
    changesAfter(after, count) {
      const found: Delivery[] = []
      for (const [changedAt, delivery] of byVersion) {
        if (changedAt <= after) continue
        found.push(delivery)
        if (found.length === count) break
      }
      return found
    },
    counts() {
      const [first = total + 1] = deliveries.keys()
      return { total, first, dropped, bytes }
    },
    clear() {
      deliveries.clear()
      byVersion.clear()
      bytes = 0
      onChange()
    },
  }
}

/** A value as JSON in one buffer: an object of thousands of short strings takes fifty times their length. */
export interface Packed<Value> extends Uint8Array {
  /** For the compiler only. */
  readonly value?: Value
}

export function pack<Value extends object>(value: Value): Packed<Value> {
  return Buffer.from(JSON.stringify(value))
}

export function unpack<Value>(packed: Packed<Value>): Value {
  return JSON.parse(Buffer.from(packed).toString())
}

export function requestOf({ head, body }: Attempt): WireRequest {
  return { ...unpack(head), body }
}

function unlessEqual<Bytes extends Uint8Array>(before: Bytes | undefined, bytes: Bytes): Bytes {
  return before !== undefined && Buffer.compare(before, bytes) === 0 ? before : bytes
}

function sizeOf({ event, id, note = '', attempts }: Delivery): number {
  // Bytes that several attempts have in common are kept once.
  const parts = new Set(attempts.flatMap(({ head, body, response }) => [head, body, response]))
  const texts = [event, id, note, ...attempts.map(({ verdict }) => textOf(verdict))]
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  const measured = [...parts].reduce((sum, part) => sum + (part?.length ?? 0), 2 * characters)
  return measured + OVERHEAD * (1 + attempts.length)
}

function textOf(verdict: Verdict | undefined): string {
  return verdict?.valid === false ? verdict.detail : ''
}
