import type { Diagnosis } from './diagnose/diagnosis.ts'
import type { SchemaIssues } from './parse/schema.ts'
import type { SecretFingerprint } from './reject/details.ts'
import { printError } from './reject/print-error.ts'
import type { Reason, Status } from './reject/reasons.ts'
import type { WebhookError } from './reject/webhook-error.ts'
import type { RemoteFacts, Sender } from './request/incoming.ts'
import { ageOf } from './verify/timestamp.ts'

interface Occasion {
  /** When, in milliseconds since the epoch, by the receiver's clock. */
  readonly at: number
  /**
   * How long the verdict took from the first look at the request, in seconds, the body's way included;
   * `undefined` where it is not a receiver's.
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

/** A delivery that was handed on. */
export interface Acceptance extends Occasion {
  readonly id: string
  readonly event: string
  readonly known: boolean
  /** The secret that matched. */
  readonly secret: SecretFingerprint
}

/** A request that was refused. Holds no body, no secret and no signature. */
export interface Rejection extends Occasion {
  readonly reason: Reason
  readonly status: Status
  readonly code: string
  /** What was seen, why it is refused and what to do. */
  readonly detail: string
  /** What went wrong underneath, where something did. */
  readonly cause: unknown
  /** Whether the signature was right. Before that, age and skew are anybody's claim. */
  readonly authentic: boolean
  /** The secrets that were at hand when it was refused. */
  readonly secrets: readonly SecretFingerprint[]
  /** Why the signature does not match, where the `diagnose` option is on and one was made. */
  readonly diagnosis?: Diagnosis
}

/** An authentic delivery that could not be handed on, whole. */
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

/** What is told of a request that came at `since`, of the monotonic clock, on every occasion. */
export function occasion(sender: Sender, at: number, since: number): Occasion {
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

/** The seconds since a time of `performance.now`, which nobody sets back. */
export function secondsSince(since: number): number {
  return (performance.now() - since) / 1000
}

/** Runs a hook of the application. Its failure is told on standard error and changes no answer. */
export async function runHook<Fact>(
  name: string,
  hook: ((fact: Fact) => void | Promise<void>) | undefined,
  fact: () => Fact,
): Promise<void> {
  try {
    await hook?.(fact())
  } catch (error) {
    printError(`[webhook-receiver] ${name} threw; the answer stays as it was.`, error)
  }
}
