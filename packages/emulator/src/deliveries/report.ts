import type { Fault } from '../fault.ts'
import type { Header } from '../request/headers.ts'
import type { ReceivedResponse } from '../request/send.ts'
import type { Webhook } from '../webhooks/registry.ts'

/**
 * How a delivery ended: `delivered` with a 2xx, `rejected` with 410 (Gone), `exhausted` when the last retry failed, `stopped` with the
 * emulator or because its webhook has ended. `pending` until then.
 */
export type Outcome = 'pending' | 'delivered' | 'rejected' | 'exhausted' | 'stopped'

/** One request and its response. */
export interface Attempt {
  /** Counts from 1 within the delivery. */
  readonly number: number
  /** When it was started: milliseconds since the epoch, by the emulator's clock. */
  readonly at: number
  /** The fault of this request; `undefined` if it has none. */
  readonly fault: Fault | undefined
  /** The timestamp, as sent; empty where the service has none in a header. */
  readonly timestamp: string
  /** The status of the response; `undefined` if there was none. */
  readonly status: number | undefined
  /** The beginning of the response's body, up to 4 KiB. */
  readonly responseBody: string
  /** Why there was no response. */
  readonly error: string | undefined
  /** What the receiver took, from the last byte of the request, in seconds. */
  readonly duration: number
  /** Whether a request that a receiver should reject got a 2xx. */
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

/** A request and what came back. */
export interface Exchange {
  /** The same object that the listeners of `request` got. */
  readonly request: SentRequest
  readonly response: ReceivedResponse
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
  about: Pick<DeliveryReport, 'id' | 'event' | 'instanceId' | 'createdAt'>,
  fault: Fault | undefined,
): OpenReport {
  return {
    ...about,
    webhook: details.id,
    url: details.url,
    fault,
    outcome: 'pending',
    attempts: [],
  }
}

/** A copy of the report as it is now. */
export function snapshot(report: DeliveryReport): DeliveryReport {
  return { ...report, attempts: [...report.attempts] }
}

/** The schemes whose senders stop after 410: the default format, and the services that document it. */
const STOPPED_BY_410 = ['contract', 'mcp-events']

/** A 2xx delivers, 410 (Gone) rejects where the service knows it, and anything else leads to a retry. */
export function outcomeOf(status: number | undefined, scheme: string): Outcome {
  if (status === undefined) return 'pending'
  if (status >= 200 && status < 300) return 'delivered'
  return status === 410 && STOPPED_BY_410.includes(scheme) ? 'rejected' : 'pending'
}

/** The outcome of two requests for one delivery. */
export function betterOutcome(one: Outcome, other: Outcome): Outcome {
  if (one === 'delivered' || other === 'delivered') return 'delivered'
  return one === 'rejected' ? one : other
}
