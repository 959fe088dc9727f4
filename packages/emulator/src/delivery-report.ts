import type { WireDelivery } from '@webhook-receiver/core/testing'
import type { Fault } from './fault.ts'
import type { Webhook } from './registry.ts'

/**
 * How a delivery ended: `delivered` with a 2xx, `refused` with a status that is final, `exhausted`
 * when the last retry failed, `stopped` with the emulator. `pending` until then.
 */
export type Outcome = 'pending' | 'delivered' | 'refused' | 'exhausted' | 'stopped'

/** One request, and what became of it. */
export interface Attempt {
  /** Counts from 1 within the delivery. */
  readonly number: number
  /** When it was begun: milliseconds since the epoch, by the emulator's clock. */
  readonly at: number
  /** What was done to this request; `undefined` where it was sent as it should be. */
  readonly fault: Fault | undefined
  /** X-Webhook-Timestamp, as sent. */
  readonly timestamp: string
  /** The status of the answer; `undefined` where there was none. */
  readonly status: number | undefined
  /** The beginning of the answer's body, up to 4 KiB. */
  readonly answer: string
  /** Why there was no answer. */
  readonly error: string | undefined
  /** How long it took, in seconds. */
  readonly duration: number
  /** Whether a request that no receiver should accept was answered 2xx. */
  readonly wronglyAccepted: boolean
}

/** A delivery to one webhook, with every request that was made for it. */
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
  { shown }: Webhook,
  { id, event, created_at, data }: WireDelivery,
  fault: Fault | undefined,
): OpenReport {
  return {
    id,
    event,
    instanceId: data.instance_id,
    webhook: shown.id,
    url: shown.url,
    createdAt: Date.parse(created_at),
    fault,
    outcome: 'pending',
    attempts: [],
  }
}

/** The report as it is now, which does not change any more. */
export function snapshot(report: DeliveryReport): DeliveryReport {
  return { ...report, attempts: [...report.attempts] }
}
