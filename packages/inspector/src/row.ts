import type { Attempt, Delivery } from './journal.ts'

/**
 * An attempt at a glance. `good`: accepted. `bad`: a genuine request that was answered 4xx or 3xx. `fail`: 5xx. `none`: no
 * answer. `right`: a forged request that was refused. `wrong`: a forged request that was accepted.
 */
export type Dot = 'pending' | 'good' | 'bad' | 'fail' | 'none' | 'right' | 'wrong'

/** A delivery as a row of the list. */
export interface Row {
  readonly n: number
  readonly origin: Delivery['origin']
  readonly at: number
  readonly event: string
  readonly instance: string
  readonly id: string
  readonly target: string
  readonly note?: string | undefined
  readonly outcome: Delivery['outcome']
  readonly dots: readonly Dot[]
  /** How many attempts there are; `dots` has the last 30. */
  readonly attempts: number
  /** Of the last answer. */
  readonly status: number | undefined
  /** How long the last answer took, in milliseconds. */
  readonly ms: number | undefined
  /** What verification says of the last request: `valid`, or the reason of the refusal. */
  readonly verdict: string | undefined
}

const DOTS = 30

export function toRow(delivery: Delivery): Row {
  const { n, origin, at, event, instance, id, target, note, outcome, attempts } = delivery
  const last = attempts.at(-1)
  const answered = attempts.findLast(({ answer }) => answer !== undefined)?.answer
  return {
    n,
    origin,
    at,
    event,
    instance,
    id,
    target,
    ...(note !== undefined && { note }),
    outcome,
    dots: attempts.slice(-DOTS).map(dotOf),
    attempts: attempts.length,
    status: answered?.status,
    ms: answered && Math.round(answered.duration * 10) / 10,
    verdict: last?.verdict && (last.verdict.valid ? 'valid' : last.verdict.reason),
  }
}

export function dotOf({ answer, verdict }: Attempt): Dot {
  if (answer === undefined) return 'pending'
  const { status } = answer
  if (status === undefined) return 'none'
  const forged = verdict?.valid === false
  const accepted = status >= 200 && status < 300
  if (forged) return accepted ? 'wrong' : status < 500 ? 'right' : 'fail'
  if (accepted) return 'good'
  return status < 500 ? 'bad' : 'fail'
}
