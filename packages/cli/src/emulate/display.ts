import type { Emulator } from '@webhook-receiver/emulator'
import { paintFor } from '../colour.ts'
import type { CommandContext } from '../command-context.ts'
import { writeJson } from '../printable.ts'
import { createLiveTable } from './live-table.ts'
import { attemptLine } from './row.ts'
import { advice, type Counter, tallyLine } from './tally.ts'

/** Shows what an emulator does until `end` is called, which prints the summary. */
export interface Display {
  end(): void
}

/** JSON lines where they are asked for, a live table on a terminal, and else a line for each request. */
export function display(
  emulator: Emulator<string>,
  counter: Counter,
  json: boolean,
  { stdout, stderr, env }: CommandContext,
): Display {
  emulator.on('attempt', (attempt) => counter.attempt(attempt))
  emulator.on('delivery', (report) => counter.delivery(report))
  if (json) {
    emulator.on('attempt', (attempt, { id, event, url }) => {
      const { at, number, fault, status = null, error, duration, wronglyAccepted } = attempt
      writeJson(stdout, {
        type: 'attempt',
        at: new Date(at).toISOString(),
        id,
        event,
        url,
        request: number,
        ...(fault !== undefined && { fault }),
        status,
        ...(error !== undefined && { error }),
        ...(wronglyAccepted && { wrongly_accepted: true }),
        milliseconds: Math.round(duration * 1000),
      })
    })
    return {
      end: () => writeJson(stdout, { type: 'summary', seed: emulator.seed, ...counter.tally() }),
    }
  }
  const paint = paintFor(stdout, env)
  const conclude = () => {
    stdout.write(`${tallyLine(counter.tally())}.\n`)
    for (const line of advice(counter.tally())) stderr.write(`${line}\n`)
  }
  if (!stdout.isTTY || env.TERM === 'dumb') {
    emulator.on('attempt', (attempt, report) => {
      stdout.write(`${attemptLine(attempt, report, paint)}\n`)
    })
    return { end: conclude }
  }
  const table = createLiveTable(stdout, paint, () => tallyLine(counter.tally()))
  emulator.on('attempt', (_, report) => table.update(report))
  emulator.on('delivery', (report) => table.update(report))
  return {
    end() {
      table.end()
      conclude()
    },
  }
}
