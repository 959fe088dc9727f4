import type { Header } from '@webhook-receiver/emulator/request'
import type { Answer, WireRequest } from './exchange.ts'
import type { Verdict } from './verification.ts'

/** How a delivery ended; `pending` until then. */
type Outcome = 'pending' | 'delivered' | 'refused' | 'exhausted' | 'stopped'

/** Who sent it: the emulated service, somebody at the page, or another program to a receiver of yours. */
type Origin = 'service' | 'page' | 'received'

/** One request and its answer. */
export interface Attempt {
  readonly number: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** What is special about this request, such as its fault. */
  readonly note: string | undefined
  readonly method: string
  readonly target: string
  readonly httpVersion: string
  readonly headers: readonly Header[]
  /** `undefined` when it was dropped. */
  body: Uint8Array | undefined
  /** In bytes. */
  readonly size: number
  /** `undefined` while it is under way. */
  answer: Answer | undefined
  /** `undefined` where there is no secret to verify with. */
  verdict: Verdict | undefined
}

export interface Delivery {
  /** Its number in the journal, from 1. */
  readonly n: number
  readonly origin: Origin
  readonly at: number
  readonly event: string
  readonly instance: string
  readonly id: string
  /** The id of the target. */
  readonly target: string
  /** What the page did to it, or the fault of the service. */
  readonly note: string | undefined
  outcome: Outcome
  readonly attempts: Attempt[]
  /** Rises with every change, and is different for all deliveries. */
  version: number
}

type NewDelivery = Omit<Delivery, 'n' | 'attempts' | 'version' | 'outcome'>

export interface JournalCounts {
  /** All that were ever added. */
  readonly total: number
  /** The oldest that is left. */
  readonly first: number
  /** How many attempts have lost their bodies. */
  readonly dropped: number
  /** What the kept bodies take, in bytes. */
  readonly bytes: number
}

/** Deliveries in bounded memory: the oldest bodies go first, and then the oldest deliveries. */
export interface Journal {
  readonly version: number
  add(delivery: NewDelivery): Delivery
  addAttempt(
    delivery: Delivery,
    request: WireRequest,
    about: { readonly at: number; readonly note?: string | undefined },
  ): Attempt
  /** Records that something of a delivery is different now. */
  changed(delivery: Delivery): void
  get(n: number): Delivery | undefined
  /** What has changed after a version, the oldest change first; at most `count` deliveries. */
  changesAfter(version: number, count: number): readonly Delivery[]
  counts(): JournalCounts
  clear(): void
}

export interface JournalLimits {
  /** How many deliveries. */
  readonly history: number
  /** Of bodies and answers, in bytes. */
  readonly maxBytes: number
}

/** `onChange` is called after each change, often many times in a row. */
export function createJournal({ history, maxBytes }: JournalLimits, onChange: () => void): Journal {
  const deliveries = new Map<number, Delivery>()
  // A Map keeps the order in which its keys were set: here that of the changes.
  const byVersion = new Map<number, Delivery>()
  let withBodies: Attempt[] = []
  let oldestBody = 0
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
    onChange()
  }

  function remove(delivery: Delivery): void {
    deliveries.delete(delivery.n)
    byVersion.delete(delivery.version)
    for (const attempt of delivery.attempts) drop(attempt)
  }

  function drop(attempt: Attempt): boolean {
    if (attempt.body === undefined) return false
    bytes -= attempt.size
    attempt.body = undefined
    return true
  }

  function dropOldBodies(): void {
    while (bytes > maxBytes && oldestBody < withBodies.length - 1) {
      const attempt = withBodies[oldestBody]
      oldestBody += 1
      if (attempt !== undefined && drop(attempt)) dropped += 1
    }
    if (oldestBody > 4096 || withBodies.length > 4 * history + 4096) {
      withBodies = withBodies.slice(oldestBody).filter(({ body }) => body !== undefined)
      oldestBody = 0
    }
  }

  return {
    get version() {
      return version
    },
    add(delivery) {
      total += 1
      const added: Delivery = {
        ...delivery,
        n: total,
        outcome: 'pending',
        attempts: [],
        version: 0,
      }
      deliveries.set(total, added)
      changed(added)
      if (deliveries.size > history) {
        const [oldest] = deliveries.values()
        if (oldest) remove(oldest)
      }
      return added
    },
    addAttempt(delivery, { method, target, httpVersion, headers, body }, { at, note }) {
      const before = delivery.attempts.at(-1)?.body
      const same = before !== undefined && Buffer.compare(before, body) === 0
      const attempt: Attempt = {
        number: delivery.attempts.length + 1,
        at,
        note,
        method,
        target,
        httpVersion,
        headers,
        // A copy: Node hands over parts of larger buffers, which a view would keep alive.
        body: same ? before : new Uint8Array(body),
        size: body.length,
        answer: undefined,
        verdict: undefined,
      }
      if (deliveries.has(delivery.n)) {
        // Counted for each attempt, although equal ones share their bytes: less is kept, never more.
        bytes += attempt.size
        withBodies.push(attempt)
        dropOldBodies()
      } else attempt.body = undefined
      delivery.attempts.push(attempt)
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
      for (const delivery of deliveries.values())
        for (const attempt of delivery.attempts) drop(attempt)
      deliveries.clear()
      byVersion.clear()
      withBodies = []
      oldestBody = 0
      version += 1
      onChange()
    },
  }
}
