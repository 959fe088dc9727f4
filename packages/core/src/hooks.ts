import { withTimeout } from './async/timeout.ts'
import type { SchemaIssues } from './parse/schema.ts'
import { printError } from './reject/print-error.ts'
import { late, type Reason, type SecretFingerprint, type Status } from './reject/reasons.ts'
import type { WebhookError } from './reject/webhook-error.ts'
import type { RemoteFacts, Sender } from './request/incoming.ts'
import type { AcceptedLately } from './verify/accepted-lately.ts'
import { ageOf } from './verify/age.ts'
import type { Diagnosis } from './verify/finding.ts'
import type { HeaderLookup, Scheme } from './verify/scheme.ts'

interface RequestInfo {
  /** The time of the decision, in milliseconds since the epoch, by the receiver's clock. */
  readonly at: number
  /**
   * How long the receiver took to decide, including the reading of the body, in seconds; `undefined` if the delivery was
   * rejected after it had been verified, for example because the store was down.
   */
  readonly duration: number | undefined
  /** How old the signature is, in seconds; `undefined` if its timestamp is missing or unreadable. */
  readonly age: number | undefined
  /** How far the timestamp is ahead of the clock, in seconds; `undefined` if it is missing or unreadable. */
  readonly skew: number | undefined
  /** The identifier in the headers of the request. It is not signed. */
  readonly webhookId: string | undefined
  /** The name of the scheme. */
  readonly scheme: string
  /** The `endpoint` option or the name of another scheme than the contract; `undefined` if there is neither. */
  readonly endpoint: string | undefined
  readonly remote: RemoteFacts
}

/** A delivery that was accepted. */
export interface Acceptance extends RequestInfo {
  /** `undefined` if the service has none. */
  readonly id: string | undefined
  /** `undefined` if the service has none. */
  readonly event: string | undefined
  /** What the function `endpoint` returned for the request; `undefined` without one. `endpoint` is the same for all tenants. */
  readonly tenant: string | undefined
  /** The `verification.key` of the delivery. */
  readonly key: string
  /** `undefined` with another scheme than the contract. */
  readonly known: boolean | undefined
  /** The secret that matched. */
  readonly secret: SecretFingerprint
}

/** A request by which the service checked the endpoint. The receiver has responded to it. */
export interface HandshakeInfo extends RequestInfo {
  /** What the service calls it, such as `url_verification`. */
  readonly name: string
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
  readonly signatureValid: boolean
  /** The id of a verified delivery that cannot be handled now; `undefined` otherwise, and where the service has none. */
  readonly id?: string | undefined
  /** The event of a verified delivery that cannot be handled now; `undefined` otherwise, and where the service has none. */
  readonly event?: string | undefined
  /** The receiver's secrets for this request. Empty if the request was rejected before they were known. */
  readonly secrets: readonly SecretFingerprint[]
  /** Whether it is proven that the service signed the request: the signature is valid, or a certain finding of `diagnose` says why it is not. */
  readonly proven: boolean
  /**
   * How many deliveries the receiver's secrets for this request verified in the last `seconds` of this process: some in the last
   * minute, or none for ten minutes or longer. `undefined` otherwise, and on AWS Lambda.
   */
  readonly acceptedLately?: AcceptedLately | undefined
  /** Whether the `quarantine` kept the request; `undefined` if there is no quarantine, or if it does not keep requests with this reason. */
  readonly quarantined?: boolean
  /** The diagnosis, if the signature does not match and there is a `diagnose` option. */
  readonly diagnosis?: Diagnosis
}

/** A verified delivery that could not be passed to your handler, with all its bytes. */
export interface Unprocessable {
  /** The body as received. */
  readonly rawBody: Uint8Array
  /** The headers that are needed to verify it again. Names are in lower case, values as received. */
  readonly headers: Readonly<Record<string, string>>
  readonly error: WebhookError
  /** The issues that the schema found, if the content does not fit the schema. They may quote the body. */
  readonly issues: SchemaIssues | undefined
}

export type AcceptedHook = (acceptance: Acceptance) => unknown
export type HandshakeHook = (handshake: HandshakeInfo) => unknown
export type RejectedHook = (rejection: Rejection) => unknown
export type UnprocessableHook = (unprocessable: Unprocessable) => unknown

/** What every hook receives about a request that came at `since`, a time of `performance.now`. */
export function requestInfo(
  { scheme, endpoint }: { readonly scheme: Scheme; readonly endpoint: string | undefined },
  sender: Sender,
  at: number,
  since: number,
): RequestInfo {
  const header: HeaderLookup = (name) => sender.header(name)
  const time = scheme.claimedTime?.(header)
  const { age, skew } = time === undefined ? {} : ageOf(time, at)
  const webhookId = (scheme.idHeader && header(scheme.idHeader)) || undefined
  const duration = secondsSince(since)
  const { name } = scheme
  const remote = remoteOf(sender)
  return { at, duration, age, skew, webhookId, scheme: name, endpoint, remote }
}

/** An adapter that cannot tell who sent a request must not keep its rejection from being reported. */
export function remoteOf(sender: Sender): RemoteFacts {
  try {
    return sender.remote?.() ?? {}
  } catch {
    return {}
  }
}

/** The seconds since a time of `performance.now`, which is never set back. */
export function secondsSince(since: number): number {
  return (performance.now() - since) / 1000
}

/** Runs a hook of the application. Its failure is printed on standard error and changes no response. */
export async function runHook<Argument>(
  name: string,
  hook: ((argument: Argument) => unknown) | undefined,
  argument: () => Argument,
): Promise<void> {
  try {
    await hook?.(argument())
  } catch (error) {
    printError(`[webhook-receiver] ${name} threw an error. The response does not change.`, error)
  }
}

/** Runs a hook that the response waits for, up to `seconds`. What it throws is printed, and changes no response. */
export async function runHookInTime<Argument>(
  name: string,
  hook: (argument: Argument) => unknown,
  argument: () => Argument,
  seconds: number,
): Promise<void> {
  // runHook itself never rejects.
  await withTimeout(seconds, runHook(name, hook, argument), () => undefined).catch(() => {
    console.error(
      `[webhook-receiver] ${name} ${late(seconds)}. The response was sent without waiting for it.`,
    )
  })
}
