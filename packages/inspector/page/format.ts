import type { Dot, Row } from '../src/row.ts'

export function clock(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

export function milliseconds(ms: number | undefined): string {
  if (ms === undefined) return ''
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`
}

export function bytes(size: number): string {
  if (size < 1024) return `${size} B`
  if (size < 1_048_576) return `${(size / 1024).toFixed(1)} KiB`
  return `${(size / 1_048_576).toFixed(1)} MiB`
}

export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** What a dot means, for its title and for those who do not see it. */
export const DOTS: Readonly<Record<Dot, string>> = {
  pending: 'waiting',
  good: 'accepted',
  bad: 'rejected, though valid',
  fail: 'server error',
  none: 'no response',
  right: 'rejected',
  wrong: 'accepted, though invalid',
}

export type Kind = 'pending' | 'good' | 'right' | 'bad'

/** How deliveries end, and the filter of each. */
export const KINDS: Readonly<Record<Kind, string>> = {
  good: 'Accepted',
  right: 'Rejected',
  bad: 'Problems',
  pending: 'Waiting',
}

export function kindOf({ dots }: Row): Kind {
  if (dots.includes('wrong')) return 'bad'
  const last = dots.at(-1) ?? 'pending'
  if (last === 'good' || last === 'pending' || last === 'right') return last
  return dots.includes('good') ? 'good' : 'bad'
}

/** The end of a row: what the status alone does not say. */
export function resultText({ verdict, dots, retryAt, change }: Row, now: number): string {
  if (dots.includes('wrong')) return DOTS.wrong
  if (retryAt !== undefined) return `retry in ${Math.max(0, Math.ceil((retryAt - now) / 1000))} s`
  const last = dots.at(-1) ?? 'pending'
  if (last === 'right' && change) return 'rejected, as it should be'
  if (last === 'right') return (verdict ?? DOTS.right).replaceAll('_', ' ')
  if (last === 'good') return verdict === undefined ? 'not verified' : 'verified'
  return DOTS[last]
}

/** What a status pill says. */
export function statusText(status: number | undefined, dot: Dot | undefined): string {
  return status === undefined ? (dot === 'none' ? 'none' : '…') : String(status)
}
