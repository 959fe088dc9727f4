import type { DeliveryReport } from '@webhook-receiver/emulator'
import type { Paint } from '../colour.ts'
import type { Output } from '../surroundings.ts'
import { deliveryRow, HEADING } from './row.ts'

/** Not more often than this, in milliseconds. */
const REDRAWN = 100

/** A table of the latest deliveries that is drawn over itself. */
export interface LiveTable {
  update(report: DeliveryReport): void
  /** Draws it a last time, and leaves it there. */
  end(): void
}

/** Draws on a terminal. `tally` is the line below the table. */
export function createLiveTable(output: Output, paint: Paint, tally: () => string): LiveTable {
  const reports = new Map<string, DeliveryReport>()
  let drawn = 0
  let timer: NodeJS.Timeout | undefined

  function draw(): void {
    timer = undefined
    const { columns = 80, rows = 24 } = output
    const shown = Math.max(3, Math.min(20, rows - 4))
    for (const id of [...reports.keys()].slice(0, -shown)) reports.delete(id)
    const lines = [
      paint('bold', HEADING.slice(0, columns - 1)),
      ...[...reports.values()].map((report) => deliveryRow(report, columns - 1, paint)),
      tally().slice(0, columns - 1),
    ]
    // Up to where the table began, and everything below is cleared.
    output.write(`${drawn > 0 ? `\u001b[${drawn}A` : ''}\u001b[0J${lines.join('\n')}\n`)
    drawn = lines.length
  }

  return {
    update(report) {
      reports.set(`${report.webhook} ${report.id}`, report)
      timer ??= setTimeout(draw, REDRAWN)
    },
    end() {
      clearTimeout(timer)
      if (reports.size > 0) draw()
    },
  }
}
