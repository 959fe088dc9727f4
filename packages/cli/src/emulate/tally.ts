import type { Attempt, DeliveryReport } from '@webhook-receiver/emulator'
import { MISTAKES, tamperingOf } from '@webhook-receiver/emulator/internal'
import { counted, isMissing } from '../console/index.ts'

/** Faults to which a receiver responds with 401. */
const FORGED: readonly unknown[] = [
  ...['tamper', 'alter', 'wrong-secret', 'stale', 'future', 'delay'],
  ...MISTAKES,
]

/** How deliveries ended that were not accepted, by the names in JSON. 410 (Gone) asks for no more. */
const OUTCOMES = {
  gone: 'ended by 410 Gone',
  exhausted: 'given up',
  stopped: 'stopped',
} as const

type Outcome = 'delivered' | keyof typeof OUTCOMES

/** What an emulator has sent and got, by the names in JSON. */
type Counts = Record<
  | 'deliveries'
  | Outcome
  | 'requests'
  | 'forged_rejected'
  | 'forged_unproven'
  | 'wrongly_accepted'
  | 'unauthorized',
  number
>

/** Counts requests and deliveries. */
export class Tally {
  readonly counts: Counts = {
    deliveries: 0,
    ...{ delivered: 0, gone: 0, exhausted: 0, stopped: 0 },
    requests: 0,
    ...{ forged_rejected: 0, forged_unproven: 0, wrongly_accepted: 0, unauthorized: 0 },
  }
  /** The faults that were wrongly accepted. */
  readonly accepted: Set<string> = new Set()

  /** Counts a request, and tells whether it is the first valid one with status 401. */
  addAttempt(attempt: Attempt): boolean {
    const { counts } = this
    const { status, wronglyAccepted, fault } = attempt
    counts.requests += 1
    if (wronglyAccepted) {
      counts.wrongly_accepted += 1
      this.accepted.add(String(fault))
    }
    if (isForgedRejected(attempt)) counts.forged_rejected += 1
    if (provesNothing(attempt)) counts.forged_unproven += 1
    if (status !== 401 || FORGED.includes(fault)) return false
    counts.unauthorized += 1
    return counts.unauthorized === 1
  }

  addDelivery(outcome: Exclude<DeliveryReport['outcome'], 'pending'>): void {
    this.counts.deliveries += 1
    this.counts[outcome === 'rejected' ? 'gone' : outcome] += 1
  }

  /** Whether the receiver accepted every valid delivery and no other. */
  get isRight(): boolean {
    const { gone, exhausted, wrongly_accepted, forged_unproven } = this.counts
    return gone + exhausted + wrongly_accepted + forged_unproven === 0
  }

  /** In one line. */
  toString(): string {
    const { deliveries, delivered, requests } = this.counts
    const { forged_rejected, forged_unproven, wrongly_accepted } = this.counts
    const forged = forged_rejected + forged_unproven + wrongly_accepted
    if (requests === 0) return 'Nothing was sent'
    const parts = [
      `${delivered} of ${counted(deliveries, 'delivery', 'deliveries')} accepted`,
      ...(['gone', 'exhausted', 'stopped'] as const).flatMap((outcome) =>
        this.counts[outcome] > 0 ? [`${this.counts[outcome]} ${OUTCOMES[outcome]}`] : [],
      ),
      ...(forged > 0
        ? [`${forged_rejected} of ${counted(forged, 'forged request')} rejected`]
        : []),
    ]
    return `${parts.join(', ')} (${counted(requests, 'request')})`
  }
}

/** Whether it was a forged request, which the receiver took for one. */
export function isForgedRejected({ fault, status }: Attempt): boolean {
  const isRejected = status !== undefined && status >= 400 && status < 500 && !isMissing(status)
  return tamperingOf(fault) !== undefined && isRejected
}

/** Whether it was a forged request, which was neither accepted nor taken for one. */
export function provesNothing(attempt: Attempt): boolean {
  const isForged = tamperingOf(attempt.fault) !== undefined
  return isForged && !attempt.wronglyAccepted && !isForgedRejected(attempt)
}
