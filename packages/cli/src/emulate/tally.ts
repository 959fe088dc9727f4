import type { Attempt, DeliveryReport } from '@webhook-receiver/emulator'

/** The results of everything that was sent. */
export interface Tally {
  readonly deliveries: number
  readonly delivered: number
  readonly refused: number
  readonly exhausted: number
  readonly stopped: number
  readonly requests: number
  /** Requests that no receiver should accept, and that were. */
  readonly wrongly_accepted: number
  /** Requests that were answered 401, and should have been accepted. */
  readonly unauthorized: number
}

export interface Counter {
  attempt(attempt: Attempt): void
  delivery(report: DeliveryReport): void
  tally(): Tally
}

export function createCounter(): Counter {
  const outcomes = { pending: 0, delivered: 0, refused: 0, exhausted: 0, stopped: 0 }
  const counts = { requests: 0, wrongly_accepted: 0, unauthorized: 0 }
  return {
    attempt({ status, wronglyAccepted, fault }) {
      counts.requests += 1
      if (wronglyAccepted) counts.wrongly_accepted += 1
      if (status === 401 && (fault === undefined || !FORGED.includes(fault)))
        counts.unauthorized += 1
    },
    delivery({ outcome }) {
      outcomes[outcome] += 1
    },
    tally() {
      const { pending: _, ...ended } = outcomes
      const deliveries = Object.values(ended).reduce((sum, count) => sum + count, 0)
      return { deliveries, ...ended, ...counts }
    },
  }
}

/** Faults that a receiver answers 401. */
const FORGED: readonly string[] = ['alter', 'wrong-secret', 'stale', 'future', 'delay']

/** Whether the receiver accepted every genuine delivery and no other. */
export function isSuccess({ refused, exhausted, wrongly_accepted }: Tally): boolean {
  return refused + exhausted + wrongly_accepted === 0
}

/** The tally in one line. */
export function tallyLine({ deliveries, requests, wrongly_accepted, ...outcomes }: Tally): string {
  const { delivered, refused, exhausted, stopped } = outcomes
  const ended = Object.entries({ delivered, refused, exhausted, stopped })
  return [
    `${deliveries} deliveries in ${requests} requests`,
    ...ended.filter(([, count]) => count > 0).map(([outcome, count]) => `${count} ${outcome}`),
    ...(wrongly_accepted > 0 ? [`${wrongly_accepted} forged requests accepted`] : []),
  ].join(', ')
}

/** What to do about failures. */
export function advice(tally: Tally): readonly string[] {
  const { unauthorized, delivered, wrongly_accepted } = tally
  return [
    ...(unauthorized > 0 && delivered === 0
      ? [
          'The receiver answered 401 and accepted no delivery: start it with the secret of this run.',
        ]
      : []),
    ...(wrongly_accepted > 0
      ? [
          'The receiver accepted requests with a changed body, a wrong signature or a wrong timestamp: it does not verify them.',
        ]
      : []),
  ]
}
