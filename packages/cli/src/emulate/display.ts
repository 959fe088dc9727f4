import type { Emulator } from '@webhook-receiver/emulator'
import {
  type CommandContext,
  createPace,
  paintFor,
  progressOn,
  writeJson,
} from '../console/index.ts'
import { attemptLine, isFailure } from './attempt.ts'
import { advice, countAttempt, countDelivery, newTally, type Tally, tallyLine } from './tally.ts'

/** Shows what an emulator does until `end` is called, which prints the summary. */
export interface Display {
  readonly tally: Tally
  end(): void
}

/** JSON lines where they are asked for, else a line for each request, above 20 a second for failures only; on a terminal the totals are below. */
export function display(
  emulator: Emulator<string>,
  json: boolean,
  { stdout, stderr, env, now }: CommandContext,
): Display {
  const tally = newTally()
  const paint = paintFor(stdout, env)
  const progress = progressOn(stdout)
  const pace = createPace(now)
  emulator.on('attempt', (attempt, report) => {
    countAttempt(tally, attempt)
    if (!json) {
      progress.clear()
      const shown = pace(isFailure(attempt))
      if (shown === 'line') stdout.write(`${attemptLine(attempt, report, paint)}\n`)
      if (shown === 'totals') stdout.write(`More than 20 a second: ${tallyLine(tally)}\n`)
      progress.update(tallyLine(tally))
      return
    }
    const { at, number, fault, status = null, error, duration, wronglyAccepted } = attempt
    const { id, event, url } = report
    writeJson(stdout, {
      type: 'attempt',
      at: new Date(at).toISOString(),
      ...{ id, event, url, request: number },
      ...(fault !== undefined && { fault }),
      status,
      ...(error !== undefined && { error }),
      ...(wronglyAccepted && { wrongly_accepted: true }),
      milliseconds: Math.round(duration * 1000),
    })
  })
  emulator.on('delivery', (report) => countDelivery(tally, report))
  return {
    tally,
    end() {
      progress.clear()
      if (json) return writeJson(stdout, { type: 'summary', seed: emulator.seed, ...tally })
      stdout.write(`${tallyLine(tally)}.\n`)
      for (const line of advice(tally)) stderr.write(`${line}\n`)
    },
  }
}
