import type { WireDelivery } from '@webhook-receiver/core/testing'
import type { Fault } from './fault.ts'
import type { Webhook } from './registry.ts'
import type { Header } from './send.ts'

/**
 * How a delivery ended: `delivered` with a 2xx, `refused` with a status that is final, `exhausted`
 * when the last retry failed, `stopped` with the emulator. `pending` until then.
 */
export type Outcome = 'pending' | 'delivered' | 'refused' | 'exhausted' | 'stopped'

/** One request and its answer. */
export interface Attempt {
  /** Counts from 1 within the delivery. */
  readonly number: number
  /** When it was started: milliseconds since the epoch, by the emulator's clock. */
  readonly at: number
  /** The fault of this request; `undefined` if it has none. */
  readonly fault: Fault | undefined
  /** X-Webhook-Timestamp, as sent. */
  readonly timestamp: string
  /** The status of the answer; `undefined` if there was none. */
  readonly status: number | undefined
  /** The beginning of the answer's body, up to 4 KiB. */
  readonly answer: string
  /** Why there was no answer. */
  readonly error: string | undefined
  /** How long it took, in seconds. */
  readonly duration: number
  /** Whether a request that a receiver should refuse was answered 2xx. */
  readonly wronglyAccepted: boolean
}

/** A request as it goes out. */
export interface SentRequest {
  /** When it was started: milliseconds since the epoch, by the emulator's clock. */
  readonly at: number
  readonly fault: Fault | undefined
  /** Names and values in the order of the wire. */
  readonly headers: readonly Header[]
  /** The whole body, also where a fault sends a part of it. */
  readonly body: Uint8Array
}

/** A request, and what is known of its answer besides the attempt. */
export interface Exchange {
  /** The same object that the listeners of `request` got. */
  readonly request: SentRequest
  /** The headers of the answer, in their order; empty if there was none. */
  readonly answerHeaders: readonly Header[]
}

/** A delivery to one webhook, with all its requests. */
export interface DeliveryReport {
  /** The `id` of the body, and X-Webhook-Id. */
  readonly id: string
  readonly event: string
  readonly instanceId: string
  /** The `id` of the webhook that it went to. */
  readonly webhook: string
  readonly url: string
  /** When it was created: milliseconds since the epoch, by the emulator's clock. */
  readonly createdAt: number
  readonly fault: Fault | undefined
  readonly outcome: Outcome
  readonly attempts: readonly Attempt[]
}

/** A report that is still being written. */
export interface OpenReport extends DeliveryReport {
  outcome: Outcome
  readonly attempts: Attempt[]
}

export function openReport(
  { details }: Webhook,
  { id, event, created_at, data }: WireDelivery,
  fault: Fault | undefined,
): OpenReport {
  return {
    id,
    event,
    instanceId: data.instance_id,
    webhook: details.id,
    url: details.url,
    createdAt: Date.parse(created_at),
    fault,
    outcome: 'pending',
    attempts: [],
  }
}

/** A copy of the report as it is now. */
export function snapshot(report: DeliveryReport): DeliveryReport {
  return { ...report, attempts: [...report.attempts] }
}
