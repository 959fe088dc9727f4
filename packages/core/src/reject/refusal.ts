import type { Explained, Grounds } from './details.ts'

/**
 * A refusal on its way from the check that found it to the receiver, which makes a WebhookError of it.
 *
 * Not an error itself: it may hold what was received, and must not leave the receiver.
 */
export class Refusal<Why extends Explained = Explained> {
  declare readonly reason: Why
  declare readonly grounds: Grounds[Why]
  declare readonly cause: unknown

  constructor(reason: Why, ...[grounds, cause]: Arguments<Grounds[Why]>) {
    this.reason = reason
    this.grounds = grounds as Grounds[Why]
    this.cause = cause
  }
}

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
  ? [grounds?: undefined, cause?: unknown]
  : [grounds: What, cause?: unknown]
