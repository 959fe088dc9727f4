import { stripVTControlCharacters } from 'node:util'
import type { DeliveryReport } from '@webhook-receiver/emulator'
import type { Paint } from '../colour.ts'
import type { Output } from '../command-context.ts'
import { deliveryRow, HEADING } from './row.ts'

/** Not more often than this, in milliseconds. */
const REDRAWN = 100

/** How many pending deliveries are shown: what is redrawn has to fit on a screen that became small, too. */
const PENDING = 5

/**
 * A table of deliveries on a terminal. The row of a delivery that has ended is printed once and stays. Only
 * what is below is redrawn: the deliveries that are pending, and the tally.
 */
export interface LiveTable {
  update(report: DeliveryReport): void
  /** Prints the rows that are left and removes the tally. Later updates change nothing. */
  end(): void
}

/** Draws on a terminal. `tally` is the line below the table. */
export function createLiveTable(output: Output, paint: Paint, tally: () => string): LiveTable {
  const pending = new Map<string, DeliveryReport>()
  let finished: DeliveryReport[] = []
  let redrawn: readonly string[] = []
  let headed = false
  let over = false
  let timer: NodeJS.Timeout | undefined

  function draw(): void {
    timer = undefined
    // Some terminals say that they have 0 of each.
    const { columns, rows } = { columns: output.columns || 80, rows: output.rows || 24 }
    const row = (report: DeliveryReport) => deliveryRow(report, columns - 1, paint)
    const lasting = finished.map(row)
    if (!headed) lasting.unshift(paint('bold', HEADING.slice(0, columns - 1)))
    const erased = erase(redrawn, columns)
    const shown = Math.min(PENDING, rows - 3)
    const latest = shown > 0 ? [...pending.values()].slice(-shown) : []
    const rest = pending.size > 0 ? `, ${pending.size} pending` : ''
    const status = `${tally()}${rest}`.slice(0, columns - 1)
    redrawn = over || rows < 3 ? [] : [...latest.map(row), status]
    output.write(`${erased}${[...lasting, ...redrawn].map((line) => `${line}\n`).join('')}`)
    finished = []
    headed = true
  }

  return {
    update(report) {
      if (over) return
      const key = `${report.webhook} ${report.id}`
      if (report.outcome === 'pending') {
        pending.set(key, report)
      } else {
        pending.delete(key)
        finished.push(report)
      }
      timer ??= setTimeout(draw, REDRAWN)
    },
    end() {
      over = true
      clearTimeout(timer)
      finished.push(...pending.values())
      if (headed || finished.length > 0) draw()
    },
  }
}

/** Goes up to the first of these lines and clears from there. A terminal that became narrower has wrapped them. */
function erase(lines: readonly string[], columns: number): string {
  const lengths = lines.map((line) => stripVTControlCharacters(line).length)
  const height = lengths.reduce((sum, length) => sum + Math.max(1, Math.ceil(length / columns)), 0)
  return height === 0 ? '' : `\u001b[${height}A\u001b[0J`
}
