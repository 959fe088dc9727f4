import type { Attempt, DeliveryReport } from '@webhook-receiver/emulator'
import type { Paint, Style } from '../colour.ts'
import { cut, printable } from '../printable.ts'

const STYLES: Readonly<Record<DeliveryReport['outcome'], Style>> = {
  pending: 'gray',
  delivered: 'green',
  refused: 'red',
  exhausted: 'red',
  stopped: 'yellow',
}

export const HEADING: string = `${'time'.padEnd(9)}${'event'.padEnd(23)}${'id'.padEnd(10)}${'answers'.padEnd(18)}${'ms'.padStart(5)}  ${'outcome'.padEnd(10)} fault`

/** A delivery as a row of the table, with the answers to each of its requests. */
export function deliveryRow(report: DeliveryReport, width: number, paint: Paint): string {
  const { createdAt, event, id, outcome, attempts, fault } = report
  const last = attempts.at(-1)
  const ms = last ? String(Math.round(last.duration * 1000)) : ''
  const row = `${clock(createdAt)} ${event.padEnd(22)} ${id.slice(0, 8)}  ${cut(attempts.map(answer).join(' '), 17).padEnd(17)} ${ms.padStart(5)}  ${outcome.padEnd(10)} ${fault ?? ''}`
  const wrong = attempts.some(({ wronglyAccepted }) => wronglyAccepted)
  return paint(wrong ? 'red' : STYLES[outcome], cut(row.trimEnd(), width))
}

/** An attempt as a line of its own, for what is not a terminal. */
export function attemptLine(attempt: Attempt, { event, id }: DeliveryReport, paint: Paint): string {
  const { at, number, fault, status, error, duration, wronglyAccepted } = attempt
  const came = status === undefined ? printable(error ?? 'no answer') : String(status)
  const style = status !== undefined && status < 300 && !wronglyAccepted ? 'green' : 'red'
  const notes = [
    `${Math.round(duration * 1000)} ms`,
    ...(number > 1 ? [`request ${number}`] : []),
    ...(fault === undefined ? [] : [fault]),
    ...(wronglyAccepted ? ['should have been rejected'] : []),
  ]
  return `${clock(at)} ${event.padEnd(22)} ${id}  ${paint(style, came)}  ${notes.join(', ')}`
}

function answer({ status }: Attempt): string {
  return status === undefined ? '---' : String(status)
}

function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}
