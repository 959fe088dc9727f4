import type { Outcome } from './delivery-report.ts'

/** A 2xx delivers, a final status refuses, and anything else leads to a retry. */
export function outcomeOf(status: number | undefined, finalStatuses: ReadonlySet<number>): Outcome {
  if (status === undefined) return 'pending'
  if (status >= 200 && status < 300) return 'delivered'
  return finalStatuses.has(status) ? 'refused' : 'pending'
}

/** The outcome of two requests for one delivery. */
export function betterOutcome(one: Outcome, other: Outcome): Outcome {
  if (one === 'delivered' || other === 'delivered') return 'delivered'
  return one === 'refused' ? one : other
}
