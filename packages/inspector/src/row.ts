import { type Attempt, type Change, type Delivery, unpack } from './journal.ts'

/**
 * An attempt at a glance. `good`: accepted. `bad`: a 4xx or 3xx. `fail`: 5xx. `none`: no response. `right`: rejected, after
 * somebody has tampered with it. `wrong`: an invalid request that was accepted.
 */
export type Dot = 'pending' | 'good' | 'bad' | 'fail' | 'none' | 'right' | 'wrong'

/** A delivery as a row of the list. */
export interface Row {
  readonly n: number
  readonly origin: Delivery['origin']
  readonly at: number
  readonly event: string
  /** The beginning of the request, where it names no event. */
  readonly line?: string | undefined
  readonly id: string
  readonly target: string
  readonly note?: string | undefined
  readonly outcome: Delivery['outcome']
  readonly retryAt?: number | undefined
  readonly dots: readonly Dot[]
  /** How many attempts there are; `dots` has the last 30. */
  readonly attempts: number
  /** Of the last response. */
  readonly status: number | undefined
  /** How long the last response took, in milliseconds. */
  readonly ms: number | undefined
  /** What verification says of the last request: `valid`, or the reason why it is not. */
  readonly verdict: string | undefined
  /** Why the last request was rejected, in a few words. Default: the reason. */
  readonly cause?: string | undefined
  /** What was done to the last request. */
  readonly change?: Change | undefined
}

const DOTS = 30

export function toRow({ attempts, version: _, size: __, ...delivery }: Delivery): Row {
  const packed = attempts.findLast(({ response }) => response !== undefined)?.response
  const response = packed && unpack(packed)
  const { verdict, cause, change, head } = attempts.at(-1) ?? {}
  const { method, target } = (delivery.event === '' && head && unpack(head)) || {}
  return {
    ...delivery,
    line: method && `${method} ${target}`.slice(0, 200),
    dots: attempts.slice(-DOTS).map(dotOf),
    attempts: attempts.length,
    status: response?.status,
    ms: response && Math.round(response.duration * 10) / 10,
    verdict: verdict && (verdict.valid ? 'valid' : verdict.reason),
    cause,
    change,
  }
}

export function dotOf({ response, verdict, change }: Attempt): Dot {
  if (response === undefined) return 'pending'
  const { status } = unpack(response)
  if (status === undefined) return 'none'
  const accepted = status >= 200 && status < 300
  const invalid = verdict?.valid === false
  if (accepted) return invalid ? 'wrong' : 'good'
  if (status >= 500) return 'fail'
  return invalid && change ? 'right' : 'bad'
}
