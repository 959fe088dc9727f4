import type { Attempt, DeliveryReport } from '@webhook-receiver/emulator'
import { type Paint, printable } from '../console/index.ts'

/** Whether an attempt needs attention. */
export function isFailure({ status, wronglyAccepted, fault }: Attempt): boolean {
  if (wronglyAccepted) return true
  return (status === undefined || status >= 300) && fault === undefined
}

/** An attempt as a line of at most 80 columns, and below it why there was no response. */
export function attemptLine(attempt: Attempt, { event, id }: DeliveryReport, paint: Paint): string {
  const { at, number, fault, status, error, duration, wronglyAccepted } = attempt
  const time = new Date(at).toISOString().slice(11, 19)
  const style = status !== undefined && status < 300 && !wronglyAccepted ? 'green' : 'red'
  const took = `${Math.round(duration * 1000)} ms`.padStart(7)
  const notes = [number > 1 && `#${number}`, fault, wronglyAccepted && 'wrongly accepted']
  const line = `${paint('gray', time)}  ${paint(style, String(status ?? '---'))}  ${event.padEnd(21)} ${took}  ${id.slice(0, 8)}  ${notes.filter(Boolean).join(' ')}`
  const reason = status === undefined ? `\n  ${printable(error ?? 'no response')}` : ''
  return `${line.trimEnd()}${reason}`
}
