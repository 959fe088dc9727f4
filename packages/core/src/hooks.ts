import type { SchemaIssues } from './parse/schema.ts'
import type { SecretFingerprint } from './reject/details.ts'
import type { Diagnosis } from './reject/diagnosis.ts'
import { printError } from './reject/print-error.ts'
import type { Reason, Status } from './reject/reasons.ts'
import type { WebhookError } from './reject/webhook-error.ts'
import type { RemoteFacts, Sender } from './request/incoming.ts'
import { ageOf } from './verify/timestamp.ts'

interface RequestInfo {
  /** The time of the decision, in milliseconds since the epoch, by the receiver's clock. */
  readonly at: number
  /**
   * How long the receiver took to decide, including the reading of the body, in seconds; `undefined` if a
   * `deliveryHandler` decided.
   */
  readonly duration: number | undefined
  /** The age of X-Webhook-Timestamp, in seconds; `undefined` if it is unreadable. */
  readonly age: number | undefined
  /** How far X-Webhook-Timestamp is ahead of the clock, in seconds; `undefined` if it is unreadable. */
  readonly skew: number | undefined
  /** X-Webhook-Id, which is not signed. */
  readonly webhookId: string | undefined
  readonly remote: RemoteFacts
}

/** A delivery that was accepted. */
export interface Acceptance extends RequestInfo {
  readonly id: string
  readonly event: string
  readonly known: boolean
  /** The secret that matched. */
  readonly secret: SecretFingerprint
}

/** A rejected request. It contains no body, no secret and no signature. */
export interface Rejection extends RequestInfo {
  readonly reason: Reason
  readonly status: Status
  readonly code: string
  /** What the receiver saw, why the request is rejected and what to do. */
  readonly detail: string
  /** The error that caused the rejection, if there is one. */
  readonly cause: unknown
  /** Whether the signature is valid. If not, the sender can choose `age` and `skew` freely. */
  readonly authentic: boolean
  /** The receiver's secrets for this request. Empty if the request was rejected before they were known. */
  readonly secrets: readonly SecretFingerprint[]
  /** Whether the `quarantine` kept the request; `undefined` if there is no quarantine, or if it does not keep requests with this reason. */
  readonly quarantined?: boolean
  /** The diagnosis, if the signature does not match and the `diagnose` option is on. */
  readonly diagnosis?: Diagnosis
}

/** An authentic delivery that could not be passed to your handler, with all its bytes. */
export interface Unprocessable {
  /** The body as received. */
  readonly rawBody: Uint8Array
  /** The headers that are needed to verify it again. Names are in lower case, values as received. */
  readonly headers: Readonly<Record<string, string>>
  readonly error: WebhookError
  /** The issues that the schema found, if the content does not fit the schema. They may quote the body. */
  readonly issues: SchemaIssues | undefined
}

export type AcceptedHook = (acceptance: Acceptance) => void | Promise<void>
export type RejectedHook = (rejection: Rejection) => void | Promise<void>
export type UnprocessableHook = (unprocessable: Unprocessable) => void | Promise<void>

/** What every hook is given about a request that came at `since`, a time of `performance.now`. */
export function requestInfo(sender: Sender, at: number, since: number): RequestInfo {
  const { age, skew } = ageOf(sender.header('x-webhook-timestamp') ?? '', at) ?? {}
  const webhookId = sender.header('x-webhook-id') ?? undefined
  return {
    at,
    duration: secondsSince(since),
    age,
    skew,
    webhookId,
    remote: sender.remote?.() ?? {},
  }
}

/** The seconds since a time of `performance.now`, which is never set back. */
export function secondsSince(since: number): number {
  return (performance.now() - since) / 1000
}

/** Runs a hook of the application. Its failure is printed on standard error and changes no answer. */
export async function runHook<Argument>(
  name: string,
  hook: ((argument: Argument) => void | Promise<void>) | undefined,
  argument: () => Argument,
): Promise<void> {
  try {
    await hook?.(argument())
  } catch (error) {
    printError(`[webhook-receiver] ${name} threw an error. The answer does not change.`, error)
  }
}
