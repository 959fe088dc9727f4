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
  pending: 'under way',
  good: 'accepted',
  bad: 'genuine, refused',
  fail: 'failed in the receiver',
  none: 'no answer',
  right: 'forged, refused',
  wrong: 'forged, accepted',
}

export type Kind = 'pending' | 'good' | 'right' | 'bad'

/** The filters of the list, and the colours of the chart. */
export function kindOf({ dots }: Row): Kind {
  if (dots.includes('wrong')) return 'bad'
  const last = dots.at(-1) ?? 'pending'
  if (last === 'good' || last === 'pending' || last === 'right') return last
  return dots.includes('good') ? 'good' : 'bad'
}

/** What verification says of the last request, or that an earlier one was accepted and should not be. */
export function verdictText({ verdict, dots }: Row): string {
  if (dots.includes('wrong')) return 'forgery accepted'
  return verdict === undefined ? 'not verified' : verdict.replaceAll('_', ' ')
}
