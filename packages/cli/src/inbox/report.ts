import type { InboxEntry, InboxState, InboxStats } from '@webhook-receiver/inbox'
import { counted, cut, type Paint, printable, type Style, WIDTH } from '../console/index.ts'

const STYLES: Readonly<Partial<Record<InboxState, Style>>> = { dead: 'red', done: 'green' }

/** Each entry in a line, in columns as wide as what is in them, and below it why its last attempt failed. */
export function linesOf(entries: readonly InboxEntry[], paint: Paint): readonly string[] {
  const rows = entries.map(({ id, state, service, event, attempts, receivedAt }) =>
    [id, state, service, event ?? '–', counted(attempts, 'attempt'), utcOf(receivedAt)].map(
      printable,
    ),
  )
  const widths = rows.reduce<readonly number[]>(
    (most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)),
    [],
  )
  return rows.flatMap((row, index) => {
    const { state, error } = entries[index] ?? {}
    const style = state && STYLES[state]
    const cells = row.map((cell, at) => {
      const padded = cell.padEnd(widths[at] ?? 0)
      return at === 1 && style ? paint(style, padded) : padded
    })
    const [why = ''] = (state === 'done' ? '' : (error ?? '')).split('\n')
    const below = why === '' ? [] : [`  ${paint('gray', cut(printable(why), WIDTH - 2))}`]
    return [cells.join('  ').trimEnd(), ...below]
  })
}

/** To the second: `show` and `--json` have all of it. */
function utcOf(time: string): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}

export function countsOf({
  service,
  waiting,
  running,
  dead,
  oldestDue,
}: Omit<InboxStats, 'handled'>): string {
  const counts = [`${waiting} waiting`, `${running} running`, `${dead} dead`]
  if (oldestDue > 0) counts.push(`the oldest has been due for ${Math.round(oldestDue)} s`)
  return printable([service, ...counts].join('  '))
}
