import { duration } from '@webhook-receiver/core/internal'
import type { InboxEntry, InboxState, InboxStats } from '@webhook-receiver/inbox'
import {
  counted,
  cut,
  type Paint,
  printable,
  printableLines,
  type Style,
  utcOf,
  WIDTH,
} from '../console/index.ts'

const STYLES: Readonly<Partial<Record<InboxState, Style>>> = { dead: 'red', done: 'green' }

/** Each entry in a line, in columns as wide as what is in them, and below it why its last attempt failed. */
export function linesOf(
  entries: readonly InboxEntry[],
  paint: Paint,
  width: number = WIDTH,
): readonly string[] {
  const rows = entries.map(({ id, state, service, event, attempts, receivedAt }) =>
    [
      id,
      state,
      service,
      event ?? '–',
      counted(attempts, 'attempt'),
      `received ${utcOf(receivedAt)}`,
    ].map(printable),
  )
  const widths = widthsOf(rows)
  return rows.flatMap((row, index) => {
    const { state, error } = entries[index] ?? {}
    const style = state && STYLES[state]
    const cells = row.map((cell, at) => {
      const padded = cell.padEnd(widths[at] ?? 0)
      return at === 1 && style ? paint(style, padded) : padded
    })
    const [why = ''] = (state === 'done' ? '' : (error ?? '')).split('\n')
    const below = why === '' ? [] : [`  ${paint('gray', cut(printable(why), width - 2))}`]
    return [cells.join('  ').trimEnd(), ...below]
  })
}

/** An entry: what is known of it, what its last attempt threw, and its delivery. */
export function entryText(
  entry: InboxEntry & { readonly delivery: unknown },
  paint: Paint,
): string {
  const { id, state, service, event, deliveryId, key, attempts, deaths = 0, error } = entry
  const { receivedAt, due, finishedAt, delivery } = entry
  const style = STYLES[state]
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ['state', style ? paint(style, state) : state],
    ['attempts', `${attempts}${deaths > 0 ? `, ${deaths} ended with the process` : ''}`],
    ['received', utcOf(receivedAt)],
    ['due', due && utcOf(due)],
    [state === 'dead' ? 'gave up' : 'finished', finishedAt && utcOf(finishedAt)],
    ['delivery', deliveryId && printable(deliveryId)],
    ['key', printable(key)],
  ]
  const lines = facts.flatMap(([name, value]) => (value ? [`  ${name.padEnd(10)}${value}`] : []))
  const why =
    error === undefined
      ? ''
      : `\n${paint('bold', 'Last error')}\n${printableLines(error.trimEnd())}\n`
  const body = printableLines(JSON.stringify(delivery, undefined, 2))
  const title = printable([id, service, event].filter(Boolean).join('  '))
  return `${paint('bold', title)}\n${lines.join('\n')}\n${why}\n${paint('bold', 'Delivery')}\n${body}\n`
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return rows.reduce<readonly number[]>(
    (most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)),
    [],
  )
}

/** How much of each service there is, in columns. */
export function countLines(stats: readonly InboxStats[], paint: Paint): readonly string[] {
  const rows = stats.map(({ service, waiting, running, dead }) =>
    [service, `${waiting} waiting`, `${running} running`, `${dead} dead`].map(printable),
  )
  const widths = widthsOf(rows)
  return rows.map((row, index) => {
    const { oldestDue = 0, dead = 0 } = stats[index] ?? {}
    const [service = '', ...counts] = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    )
    const last = counts.pop() ?? ''
    const due = oldestDue > 0 ? [`the oldest is overdue by ${duration(Math.round(oldestDue))}`] : []
    return [service, ...counts, dead > 0 ? paint('red', last) : last, ...due].join('  ')
  })
}
