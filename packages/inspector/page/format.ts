import type { NamedTampering } from '@webhook-receiver/emulator/internal'
import type { Change } from '../src/journal.ts'
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

const CHANGES: Readonly<Record<NamedTampering | 'edited', string>> = {
  body: 'body changed',
  signature: 'signature changed',
  timestamp: 'timestamp changed',
  secret: 'another secret',
  stale: 'too old',
  future: 'from the future',
  unsigned: 'no signature',
  edited: 'edited, not signed again',
}

/** What was done to a request. A mistake of its sender is named by its code, as in docs/reference/diagnosis-codes.md. */
export function changeText(change: Change): string {
  return Reflect.get(CHANGES, change) ?? change
}

/** What a dot means, for its title and for those who do not see it. */
export const DOTS: Readonly<Record<Dot, string>> = {
  pending: 'waiting',
  good: 'accepted',
  bad: 'rejected',
  fail: 'server error',
  none: 'no response',
  right: 'tampered, rejected',
  wrong: 'invalid, accepted',
}

export const DOT_NAMES = Object.keys(DOTS) as Dot[]

export type Kind = 'pending' | 'good' | 'right' | 'bad'

/** How deliveries end, and the filter of each. */
export const KINDS: Readonly<Record<Kind, string>> = {
  good: 'Accepted',
  right: 'Tampered, rejected',
  bad: 'Problems',
  pending: 'Waiting',
}

export function kindOf({ dots }: Row): Kind {
  if (dots.includes('wrong')) return 'bad'
  const last = dots.at(-1) ?? 'pending'
  if (last === 'good' || last === 'pending' || last === 'right') return last
  return dots.includes('good') ? 'good' : 'bad'
}

/** The number of the last attempt that was wrongly accepted, if there is one. */
export function wrongIn({ attempts, dots }: Row): number | undefined {
  const index = dots.lastIndexOf('wrong')
  return index < 0 ? undefined : attempts - dots.length + index + 1
}

/** The end of a row: what the status alone does not say. */
export function resultText(row: Row, now: number): string {
  const { verdict, dots, retryAt, change, note, outcome, attempts } = row
  const reason = verdict === 'valid' ? undefined : (row.cause ?? verdict?.replaceAll('_', ' '))
  const last = dots.at(-1) ?? 'pending'
  const why = change ? changeText(change) : reason
  if (dots.includes('wrong')) return `✗ accepted: ${why ?? 'a tampered copy'}`
  if (retryAt !== undefined)
    return `${marked(last)}, retry in ${Math.max(0, Math.ceil((retryAt - now) / 1000))} s`
  if (last === 'right') return `✓ rejected: ${why}`
  const after = note === undefined ? '' : `, ${note}`
  if (last === 'good') return `${verdict === undefined ? 'not verified' : '✓ verified'}${after}`
  if (outcome === 'exhausted' && attempts > 1) return `✗ gave up after ${attempts} attempts`
  if (last !== 'bad') return marked(last)
  return `✗ ${reason ?? (verdict === 'valid' ? 'rejected, though valid' : 'rejected')}`
}

/** What became of a request, behind its mark. */
export function marked(dot: Dot): string {
  if (dot === 'pending') return DOTS.pending
  return `${dot === 'good' || dot === 'right' ? '✓' : '✗'} ${DOTS[dot]}`
}

/** What a status pill says. */
export function statusText(status: number | undefined, dot: Dot | undefined): string {
  return status === undefined ? (dot === 'none' ? '–' : '…') : String(status)
}
