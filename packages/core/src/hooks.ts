import type { SchemaIssues } from './parse/schema.ts'
import type { SecretFingerprint } from './reject/details.ts'
import type { Diagnosis } from './reject/diagnosis.ts'
import { printError } from './reject/print-error.ts'
import type { Reason, Status } from './reject/reasons.ts'
import type { WebhookError } from './reject/webhook-error.ts'
import type { RemoteFacts, Sender } from './request/incoming.ts'
import { ageOf } from './verify/timestamp.ts'

interface RequestInfo {
  /** When, in milliseconds since the epoch, by the receiver's clock. */
  readonly at: number
  /**
   * How long the receiver took to decide, in seconds, the reading of the body included;
   * `undefined` where a `deliveryHandler` decided.
   */
  readonly duration: number | undefined
  /** How long ago X-Webhook-Timestamp says it was signed, in seconds; `undefined` if unreadable. */
  readonly age: number | undefined
  /** How far X-Webhook-Timestamp lies ahead of the clock, in seconds; `undefined` if unreadable. */
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

/** A request that was refused. Holds no body, no secret and no signature. */
export interface Rejection extends RequestInfo {
  readonly reason: Reason
  readonly status: Status
  readonly code: string
  /** What was seen, why it is refused and what to do. */
  readonly detail: string
  /** What went wrong underneath, where something did. */
  readonly cause: unknown
  /** Whether the signature is valid. If not, the sender can have made up age and skew. */
  readonly authentic: boolean
  /** The secrets that it was verified with, as far as they were known. */
  readonly secrets: readonly SecretFingerprint[]
  /** Whether the `quarantine` kept it; `undefined` where there is none, or it is not asked for this reason. */
  readonly quarantined?: boolean
  /** Given the signature does not match, where the `diagnose` option is on and one was made. */
  readonly diagnosis?: Diagnosis
}

/** An authentic delivery that could not be passed on, whole. */
export interface Unprocessable {
  /** The body as received. */
  readonly rawBody: Uint8Array
  /** The headers that are needed to verify it again, by lower-case name, as received. */
  readonly headers: Readonly<Record<string, string>>
  readonly error: WebhookError
  /** What the schema found, where it is the schema that did not fit. May quote the body. */
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
