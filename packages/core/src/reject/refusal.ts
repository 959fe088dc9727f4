import { brand } from '../copies/brand.ts'
import type { CheckedReason, RejectionDetails } from './details.ts'

/**
 * A refusal on its way from the check that found it to the receiver, which makes a WebhookError of it.
 *
 * Not an error itself: it may hold what was received, and must not leave the receiver.
 */
export class Refusal<Given extends CheckedReason = CheckedReason> {
  declare readonly reason: Given
  declare readonly details: RejectionDetails[Given]
  declare readonly cause: unknown

  constructor(reason: Given, ...[details, cause]: Arguments<RejectionDetails[Given]>) {
    this.reason = reason
    this.details = details as RejectionDetails[Given]
    this.cause = cause
  }
}

brand(Refusal, '@webhook-receiver/core.Refusal')

/** What was thrown, where it is a refusal, or the one that is made of it. It may be a Proxy that throws when it is looked at. */
export function refusalOf(thrown: unknown, otherwise: () => Refusal): Refusal {
  try {
    if (thrown instanceof Refusal) return thrown
  } catch {
    // Then it is none.
  }
  return otherwise()
}

type Arguments<What> = What extends undefined
  ? [details?: undefined, cause?: unknown]
  : [details: What, cause?: unknown]
