import type { Attempt, DeliveryReport } from '@webhook-receiver/emulator'

/** The results of everything that was sent. */
export interface Tally {
  deliveries: number
  delivered: number
  rejected: number
  exhausted: number
  stopped: number
  requests: number
  /** Requests that no receiver should accept, and that were. */
  wrongly_accepted: number
  /** Requests that got 401, and should have been accepted. */
  unauthorized: number
}

/** Faults to which a receiver responds with 401. */
const FORGED: readonly string[] = ['alter', 'wrong-secret', 'stale', 'future', 'delay']

export function newTally(): Tally {
  const outcomes = { deliveries: 0, delivered: 0, rejected: 0, exhausted: 0, stopped: 0 }
  return { ...outcomes, requests: 0, wrongly_accepted: 0, unauthorized: 0 }
}

export function countAttempt(tally: Tally, { status, wronglyAccepted, fault }: Attempt): void {
  tally.requests += 1
  if (wronglyAccepted) tally.wrongly_accepted += 1
  if (status === 401 && !FORGED.includes(String(fault))) tally.unauthorized += 1
}

export function countDelivery(tally: Tally, { outcome }: DeliveryReport): void {
  if (outcome === 'pending') return
  tally.deliveries += 1
  tally[outcome] += 1
}

/** Whether the receiver accepted every valid delivery and no other. */
export function isSuccess({ rejected, exhausted, wrongly_accepted }: Tally): boolean {
  return rejected + exhausted + wrongly_accepted === 0
}

/** The tally in one line. */
export function tallyLine(tally: Tally): string {
  const { deliveries, requests, wrongly_accepted } = tally
  const outcomes = (['delivered', 'rejected', 'exhausted', 'stopped'] as const).filter(
    (outcome) => tally[outcome] > 0,
  )
  return [
    `${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'} in ${requests} ${requests === 1 ? 'request' : 'requests'}`,
    ...outcomes.map((outcome) => `${tally[outcome]} ${outcome}`),
    ...(wrongly_accepted > 0 ? [`${wrongly_accepted} forged requests accepted`] : []),
  ].join(', ')
}

/** What to do about failures. */
export function advice({ unauthorized, delivered, wrongly_accepted }: Tally): readonly string[] {
  const lines = [
    unauthorized > 0 &&
      delivered === 0 &&
      'The receiver responded with 401 and accepted no delivery: start it with the secret of this run.',
    wrongly_accepted > 0 &&
      'The receiver accepted requests with a changed body, a wrong signature or a wrong timestamp: it does not verify them.',
  ]
  return lines.filter((line) => line !== false)
}
