import { processWide } from '../copies/process-wide.ts'
import { rejection } from '../reject/rejection.ts'
import type { WebhookError } from '../reject/webhook-error.ts'

/**
 * How the body of one request is read, and how much memory it takes until it is verified. Adapters pass this on whole: an option of the
 * receiver that concerns the body is one property more, which no adapter can then leave out.
 */
export interface Reading {
  /** The most that is read, in bytes: above it, `body_too_large`. */
  readonly limit: number
  /** How long the whole body may take, in seconds: after it, `body_timeout`. */
  readonly timeout: number
  /**
   * Counts all the memory that the body takes now, in bytes. Returns `false` if it may take none, because it gave way to others.
   *
   * Until it arrives whole, whoever reads it is told by `stop` that it gave way. Otherwise it is counted, and stays.
   */
  hold(bytes: number): boolean
  /** What to call if the body has to give way while it arrives. */
  begin(stop: (error: WebhookError) => void): void
  /** The body is whole, or nobody reads it any more. */
  end(): void
}

/** For what is no delivery, such as a command of a tool: only its size has a bound, in bytes. */
export function upTo(limit: number): Reading {
  return {
    limit,
    timeout: Number.POSITIVE_INFINITY,
    hold: () => true,
    begin() {},
    end() {},
  }
}

/** How many bytes of each body are not counted, so that a small one costs no time. */
export const UNCOUNTED = 65_536

/** The reading of a request by a receiver, which closes it when the signature was checked. */
export class OpenReading implements Reading, Upload {
  readonly limit: number
  readonly timeout: number
  readonly most: number
  counted = 0
  #stop: ((error: WebhookError) => void) | undefined
  #closed = false

  constructor({ limit, bodyTimeout, unverifiedBytes }: ReadingOptions) {
    this.limit = limit
    this.timeout = bodyTimeout
    this.most = unverifiedBytes
  }

  begin(stop: (error: WebhookError) => void): void {
    this.#stop = stop
  }

  hold(bytes: number): boolean {
    if (this.#closed) return false
    const counted = Math.max(0, bytes - UNCOUNTED)
    if (counted === this.counted) return true
    const held = heldByAll()
    add(held, this.most, counted - this.counted)
    this.counted = counted
    if (this.#stop) held.uploads.add(this)
    makeRoom(held, this.most)
    return !this.#closed
  }

  end(): void {
    this.#stop = undefined
    if (this.counted > 0) heldByAll().uploads.delete(this)
  }

  giveWay(): void {
    const stop = this.#stop
    const { most } = this
    this.close()
    stop?.(rejection('body_budget_full', { most }))
  }

  /** The memory is no longer that of an unverified body. */
  close(): void {
    this.#closed = true
    if (this.counted === 0) return
    this.end()
    add(heldByAll(), this.most, -this.counted)
    this.counted = 0
  }
}

/** The options of a receiver that concern the body. */
interface ReadingOptions {
  readonly limit: number
  readonly bodyTimeout: number
  readonly unverifiedBytes: number
}

/** A body that is arriving, by whichever copy of this module. */
interface Upload {
  /** Its bytes that count. */
  readonly counted: number
  /** The most that its receiver lets the process hold. */
  readonly most: number
  giveWay(): void
}

/** What all receivers of the process hold. */
interface Held {
  /** The counted bytes of every body that is not verified yet, by the most that its receiver allows. */
  readonly bytes: Map<number, number>
  /** Those that are arriving, in the order in which they began to count. */
  readonly uploads: Set<Upload>
}

function heldByAll(): Held {
  return processWide('unverified-bytes', () => ({ bytes: new Map(), uploads: new Set() }))
}

function add({ bytes }: Held, most: number, more: number): void {
  const sum = (bytes.get(most) ?? 0) + more
  if (sum === 0) bytes.delete(most)
  else bytes.set(most, sum)
}

/** What all receivers hold that allow no more than this. */
function sumUpTo({ bytes }: Held, most: number): number {
  let sum = 0
  for (const [allowed, held] of bytes) if (allowed <= most) sum += held
  return sum
}

/**
 * Lets the oldest uploads give way until receivers that allow no more than `most` hold no more than that. To make a delivery give way, an
 * attacker has to send as much as that while it arrives. By the bytes per second, uploads that were sent fast and are then held would
 * outlive slower deliveries.
 *
 * What a receiver holds that allows more is no concern of this one: a single upload there could keep out every delivery here. One that
 * holds everything by itself stays, since `most` is at least the limit.
 */
function makeRoom(held: Held, most: number): void {
  let sum = sumUpTo(held, most)
  for (const upload of held.uploads) {
    if (sum <= most) return
    const { counted } = upload
    if (upload.most > most || counted === sum) continue
    sum -= counted
    upload.giveWay()
  }
}
